// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/item_query.h"
#include "core/analysis/item_refs.h"
#include "core/base/scatter_points.h"

namespace dubito {

/// Two measures over the items shared by two runs, which may be the same run.
struct ScatterRequest {
  /// Provides x and the groups; selecting points selects items of this run.
  AnalysisPtr x_run;
  AnalysisPtr y_run;
  Measure x = Measure::kEntropy;
  Measure y = Measure::kEntropy;
};

/// N points: items of matching parts (by position or name), joined on ids.
struct ScatterData {
  AnalysisPtr run;         ///< the run whose items are the points
  ScatterRequest request;  ///< its runs are null if the points do not come from runs (plane_data.h)
  ScatterPoints points;    ///< groups: ItemGroup numbers
  ItemRefs items;          ///< [N], of `run`
  std::vector<std::int32_t> point_of_item;  ///< by ItemNumbers of `run`; -1: none
  std::array<std::int64_t, 4> counts{};     ///< number of points, by ItemGroup
  std::int64_t without_value = 0;           ///< shared items that lack one of the measures
  /// True if there are too many points to draw individually: counts per cell are drawn, with the
  /// points `drawn` on top.
  bool is_density = false;
  /// Points to draw individually, the last on top: all points, or hash-based samples of the groups
  /// (see Crowd). Does not depend on the order of the two runs.
  std::vector<std::int32_t> drawn;

  /// nullopt if the item is none of the points, or not in `run`.
  [[nodiscard]] std::optional<std::int32_t> pointOf(ItemRef item) const;
};
using ScatterDataPtr = std::shared_ptr<const ScatterData>;

/// How plots with more than kMaxScatterPoints (drawn_points.h) points are drawn.
enum class Crowd {
  kCounted,  ///< counts, with points of misclassified and OOD items on top
  kSampled,  ///< a sample of every group, over a background that fills the plot
};

/// Makes points from `items`, which belong to `run`, in the given order, and chooses which of them
/// are drawn. `x` and `y` have one entry per item. Blocking; for a worker thread.
[[nodiscard]] ScatterData makeScatterData(AnalysisPtr run, ItemRefs items, Array<double> x,
                                          Array<double> y, Interval x_range, Interval y_range,
                                          Crowd crowd = Crowd::kCounted);

/// The range of `values` (not empty), extended by `padding` times its width at both ends.
[[nodiscard]] Interval paddedRange(std::span<const double> values, double padding);

/// Joins the runs. Blocking; for a worker thread. kInvalidArgument if a run lacks the measure, the
/// runs share no item, or have different labels or classes for the same ids.
[[nodiscard]] Expected<ScatterDataPtr> joinScatter(const ScatterRequest& request);

/// The items whose points lie in the closed rectangle [x] x [y]; `name` describes them. For a
/// worker thread.
[[nodiscard]] PickedItems itemsInRectangle(const ScatterData& data, Interval x, Interval y,
                                           std::string name);

}  // namespace dubito
