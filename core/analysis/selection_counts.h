// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/item_chunks.h"
#include "core/analysis/selection_overview.h"
#include "core/base/compensated_sum.h"
#include "core/metrics/calibration_error.h"

namespace dubito {

/// Counts over selected items: everything of a SelectionOverview but its curves. Counts of separate
/// items can be added up; in the same order they give the same sums, bit for bit.
class SelectionCounts {
 public:
  /// `judged` may be null; both must outlive this.
  SelectionCounts(const SelectionColumns& columns, const JudgedItems* judged);

  /// Counts items of one part: those at `positions` of `chunk`, in any order.
  void add(const Run& run, const ItemChunk& chunk, std::span<const std::uint32_t> positions);
  void add(const SelectionCounts& other);

  /// Of the items counted, without curves.
  [[nodiscard]] SelectionOverview overview(const Analysis& analysis) const;

 private:
  void addGroups(const ItemChunk& chunk, std::span<const std::uint32_t> positions);
  void addConfidence(const Run& run, const ItemChunk& chunk,
                     std::span<const std::uint32_t> positions);
  void addJudged(const Run& run, const ItemChunk& chunk, std::span<const std::uint32_t> positions);
  [[nodiscard]] std::int64_t itemsOf(ItemGroup group) const {
    return items_[static_cast<std::size_t>(group)];
  }
  /// Over the edges of score `s` of the columns.
  [[nodiscard]] Histogram histogram(std::size_t s, ItemGroup group) const;

  const SelectionColumns& columns_;
  const JudgedItems* judged_;                     ///< null without a diagram
  std::vector<std::vector<std::int64_t>> cells_;  ///< [score, cell]
  std::array<std::int64_t, SelectionColumns::kGroups> items_{};
  std::vector<BinSums> reliability_;  ///< [bins]
  CompensatedSum confidence_;
};

}  // namespace dubito
