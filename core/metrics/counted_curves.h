// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/metrics/chosen_of_block.h"
#include "core/metrics/item_ranking.h"

namespace dubito {

/// The curves of chosen items without their summaries, from the number of items in each block of a
/// ranking. `counts_of(block)` are the GroupCounts of the chosen items of a block, `mark_of(item)`
/// the mark of an item; the latter is called only for items of blocks that are more than one point
/// of a curve.
template <class CountsOf, class MarkOf>
[[nodiscard]] RankedCurves countedCurves(const ItemRanking& ranking, const CountsOf& counts_of,
                                         const MarkOf& mark_of, ItemMark negatives,
                                         CurveDetail detail) {
  GroupCounts all;
  for (std::size_t block = 0; block < ranking.block_ends.size(); ++block) {
    all.add(counts_of(block));
  }
  RankedCurveMaker maker(all, negatives, stepsOfAxis(detail));
  ChosenOfBlock chosen;
  for (std::size_t block = 0; block < ranking.block_ends.size(); ++block) {
    const GroupCounts of_block = counts_of(block);
    if (maker.isOnePoint(of_block)) {
      maker.addPoint(of_block);
    } else if (of_block.any()) {
      chosen.gather(ranking, block, mark_of);
      chosen.forEachTie([&](const GroupCounts& ties) { maker.addPoint(ties); });
    }
  }
  return maker.take(ranking.score);
}

}  // namespace dubito
