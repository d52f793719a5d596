// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/item_numbers.h"
#include "core/analysis/item_query.h"
#include "core/analysis/selection_counts.h"
#include "core/analysis/selection_index.h"
#include "core/analysis/selection_overview.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Overviews of ranges of one measure without a pass over the items. The items are kept in the
/// order of the measure, in blocks; a range consists of whole blocks, whose counts are known, and
/// of less than a block of items at each of its ends. Takes about 25 bytes per item for a million
/// items and three rankings. Immutable.
class RangeIndex {
 public:
  using Pointer = std::shared_ptr<const RangeIndex>;

  /// Items per block, unless there are so many that blocks are longer.
  static constexpr std::size_t kLeastBlock = 8192;

  /// One pass over the items in the order of `measure`. Blocking; for a worker thread. kCancelled.
  [[nodiscard]] static Expected<Pointer> make(AnalysisPtr analysis, Measure measure,
                                              SelectionBasis basis, const RunContext& context);

  /// Whether `query` selects a range of a measure, without other conditions, so that an index of
  /// the measure can answer it.
  [[nodiscard]] static bool isRangeAlone(const ItemQuery& query);
  /// Whether the index is of this measure, of `analysis` and of `basis` apart from its preview.
  [[nodiscard]] bool isOf(const AnalysisPtr& analysis, Measure measure,
                          const SelectionBasis& basis) const;

  /// overviewOfSelection() of the items in `range`, with curves as in a preview of all items: the
  /// same counts and curves; sums of probabilities may differ in the last digits. kCancelled.
  [[nodiscard]] Expected<SelectionOverviewPtr> overview(Interval range,
                                                        const RunContext& context) const;

  /// Items that overview() reads one by one to count them: those outside of whole blocks, fewer
  /// than two blocks have.
  [[nodiscard]] std::int64_t itemsRead(Interval range) const;

 private:
  /// Places in the order of the measure.
  struct Places {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// Of a range: the blocks inside, and the places before and after them.
  struct Parts {
    std::size_t first_block = 0;
    std::size_t last_block = 0;  ///< one past the last
    Places before;
    Places after;
  };
  /// Items per group in the blocks of one ranking.
  struct RankingCounts {
    /// [blocks, blocks of the ranking, groups]
    std::vector<std::uint16_t> of_block;
    /// [sums, blocks of the ranking, groups] of all blocks before every eighth one
    std::vector<std::uint32_t> of_before;
  };

  RangeIndex(AnalysisPtr analysis, Measure measure, SelectionBasis basis);
  void sortItems(const RunContext& context);
  /// Of the whole blocks.
  void countBlocks(const RunContext& context);
  [[nodiscard]] RankingCounts countRanking(const ItemRanking& ranking,
                                           const RunContext& context) const;

  [[nodiscard]] double valueOf(std::uint32_t item) const;
  [[nodiscard]] Places placesOf(Interval range) const;
  [[nodiscard]] std::size_t blocks() const { return items_.size() / block_; }
  [[nodiscard]] Parts partsOf(Places places) const;
  /// Adds the items at `places`.
  void addItems(Places places, SelectionCounts& counts) const;
  /// Calls visit(index) with the place of each of the items in a row of RankingCounts.
  template <class Visit>
  void forEachMark(const ItemRanking& ranking, Places places, const Visit& visit) const;
  [[nodiscard]] SelectionCounts countsOf(const Parts& parts) const;
  [[nodiscard]] RankedCurves curvesOf(std::size_t ranking, Places places, const Parts& parts) const;

  AnalysisPtr analysis_;
  Measure measure_;
  SelectionBasis basis_;
  ItemNumbers numbers_;
  std::size_t block_ = kLeastBlock;      ///< items per block; the last items are in none
  std::vector<std::uint32_t> items_;     ///< those that have the measure, in ascending order of it
  std::vector<std::uint32_t> place_of_;  ///< [items] place in items_; the largest number: none
  std::size_t marks_;                    ///< groups that curves count
  std::vector<SelectionCounts> counts_;  ///< [blocks]
  std::vector<RankingCounts> rankings_;
};
using RangeIndexPtr = RangeIndex::Pointer;

}  // namespace dubito
