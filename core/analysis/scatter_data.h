// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/item_query.h"
#include "core/base/scatter_points.h"

namespace dubito {

/// Two measures of the items that two runs hold; they may be one and the same run.
struct ScatterRequest {
  /// Its measure runs to the right; its predictions make the groups, its items are selected.
  AnalysisPtr x_run;
  AnalysisPtr y_run;
  Measure x = Measure::kEntropy;
  Measure y = Measure::kEntropy;
};

/// The answer. N points: items of parts that go by the same place or name, joined on ids.
struct ScatterData {
  AnalysisPtr run;             ///< whose items the points are
  ScatterRequest request;      ///< no runs where the points come from elsewhere (plane_data.h)
  ScatterPoints points;        ///< groups are numbers of ItemGroup
  std::vector<ItemRef> items;  ///< [N], of `run`
  std::vector<std::vector<std::int32_t>> point_of_row;  ///< by part of `run`; -1: none
  std::array<std::int64_t, 4> counts{};                 ///< points, by ItemGroup
  std::int64_t without_value = 0;  ///< shared items that lack one of the measures
  /// There are too many to draw each: their counts are drawn, and `drawn` on top of them.
  bool is_density = false;
  /// Points to draw one by one, the last on top: all, or keyed subsets of the groups (Crowd). The
  /// same items whatever the order of the runs.
  std::vector<std::int32_t> drawn;
};
using ScatterDataPtr = std::shared_ptr<const ScatterData>;

/// So many points are drawn one by one at most.
inline constexpr std::int64_t kMostScatterPoints = 20000;

/// What is drawn of more points than kMostScatterPoints.
enum class Crowd {
  kCounted,  ///< counts, and single points of the misclassified and OOD items on top
  kSampled,  ///< single points of every group, over something else that fills the plot
};

/// Points of items of `run` with their groups, in the order given; which are drawn is chosen here.
/// All vectors have one entry per item. Blocking; for a worker thread.
[[nodiscard]] ScatterData makeScatterData(AnalysisPtr run, std::vector<ItemRef> items,
                                          std::vector<double> x, std::vector<double> y,
                                          Interval x_range, Interval y_range,
                                          Crowd crowd = Crowd::kCounted);

/// The range of `values`, which are not empty, wider by `padding` times its width at each end.
[[nodiscard]] Interval paddedRange(const std::vector<double>& values, double padding);

/// Joins the runs. Blocking; for a worker thread. kInvalidArgument if a run lacks the measure, they
/// share no item, or hold other labels or classes for the same ids.
[[nodiscard]] Expected<ScatterDataPtr> joinScatter(const ScatterRequest& request);

/// The items of the points in a closed rectangle, under the name given. For a worker thread.
[[nodiscard]] PickedItems itemsInRectangle(const ScatterData& data, Interval x, Interval y,
                                           std::string name);

/// The points of listed items, at most `most`: beyond that a keyed subset. For a worker thread.
[[nodiscard]] std::vector<std::int32_t> pointsOfItems(const ScatterData& data,
                                                      const std::vector<ItemRef>& items,
                                                      std::int64_t most);

}  // namespace dubito
