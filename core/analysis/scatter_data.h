// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/item_query.h"
#include "core/base/scatter_points.h"

namespace dubito {

/// Two measures over the items shared by two runs, which may be the same run.
struct ScatterRequest {
  /// Provides x and the groups; its items are the ones selected.
  AnalysisPtr x_run;
  AnalysisPtr y_run;
  Measure x = Measure::kEntropy;
  Measure y = Measure::kEntropy;
};

/// N points: items of matching parts (by position or name), joined on ids.
struct ScatterData {
  AnalysisPtr run;             ///< the points are its items
  ScatterRequest request;      ///< without runs if the points come from elsewhere (plane_data.h)
  ScatterPoints points;        ///< groups: ItemGroup numbers
  std::vector<ItemRef> items;  ///< [N], of `run`
  std::vector<std::vector<std::int32_t>> point_of_row;  ///< by part of `run`; -1: none
  std::array<std::int64_t, 4> counts{};                 ///< number of points, by ItemGroup
  std::int64_t without_value = 0;  ///< shared items that lack one of the measures
  /// Too many points to draw each: counts are drawn, with `drawn` on top.
  bool is_density = false;
  /// Points to draw individually, the last on top: all, or hash-based samples of the groups
  /// (Crowd). Independent of the order of the runs.
  std::vector<std::int32_t> drawn;
};
using ScatterDataPtr = std::shared_ptr<const ScatterData>;

/// Maximum number of individually drawn points.
inline constexpr std::int64_t kMostScatterPoints = 20000;

/// How more than kMostScatterPoints points are drawn.
enum class Crowd {
  kCounted,  ///< counts, with points of misclassified and OOD items on top
  kSampled,  ///< a sample of every group, over a background that fills the plot
};

/// Points for items of `run` with their groups, in the given order; chooses which are drawn. All
/// vectors have one entry per item. Blocking; for a worker thread.
[[nodiscard]] ScatterData makeScatterData(AnalysisPtr run, std::vector<ItemRef> items,
                                          std::vector<double> x, std::vector<double> y,
                                          Interval x_range, Interval y_range,
                                          Crowd crowd = Crowd::kCounted);

/// The range of `values` (not empty), extended by `padding` times its width at both ends.
[[nodiscard]] Interval paddedRange(const std::vector<double>& values, double padding);

/// Joins the runs. Blocking; for a worker thread. kInvalidArgument if a run lacks the measure, the
/// runs share no item, or have different labels or classes for the same ids.
[[nodiscard]] Expected<ScatterDataPtr> joinScatter(const ScatterRequest& request);

/// The items in a closed rectangle, named `name`. For a worker thread.
[[nodiscard]] PickedItems itemsInRectangle(const ScatterData& data, Interval x, Interval y,
                                           std::string name);

/// The points of listed items; above `most`, a hash-based sample. For a worker thread.
[[nodiscard]] std::vector<std::int32_t> pointsOfItems(const ScatterData& data,
                                                      const std::vector<ItemRef>& items,
                                                      std::int64_t most);

}  // namespace dubito
