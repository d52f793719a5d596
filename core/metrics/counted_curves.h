// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/metrics/item_ranking.h"

namespace dubito {

/// The curves of chosen items, from their number in each block of a ranking. `counts_of(block)` are
/// the GroupCounts of the chosen items of a block, `mark_of(item)` the mark of an item; the latter
/// is called only for items of blocks that are more than one point of a curve.
template <class CountsOf, class MarkOf>
[[nodiscard]] RankedCurves countedCurves(const ItemRanking& ranking, const CountsOf& counts_of,
                                         const MarkOf& mark_of, ItemMark negatives,
                                         CurveDetail detail) {
  const bool with_sums = detail == CurveDetail::kWithSummary;
  GroupCounts all;
  for (std::size_t block = 0; block < ranking.block_ends.size(); ++block) {
    all.add(counts_of(block));
  }
  RankedCurveMaker maker(all, negatives, stepsOfAxis(detail));
  std::size_t begin = 0;
  for (std::size_t block = 0; block < ranking.block_ends.size(); ++block) {
    const std::size_t end = ranking.block_ends[block];
    const GroupCounts of_block = counts_of(block);
    if (!with_sums && maker.isOnePoint(of_block)) {
      maker.addPoint(of_block);
    } else if (of_block.any()) {
      GroupCounts ties;
      for (std::size_t place = begin; place < end; ++place) {
        ties.add(mark_of(ranking.item_at[place]));
        if (ranking.ends_tie[place] != 0 && ties.any()) {
          maker.addPoint(ties);
          if (with_sums) {
            maker.addToSums(ties);
          }
          ties = {};
        }
      }
    }
    begin = end;
  }
  return maker.take(ranking.score, with_sums);
}

}  // namespace dubito
