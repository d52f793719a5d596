// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/metrics/item_ranking.h"

namespace dubito {

/// The chosen items of one block of a ranking, in its order. Reuses its memory.
class ChosenOfBlock {
 public:
  /// `mark_of(item)` is the mark of an item.
  template <class MarkOf>
  void gather(const ItemRanking& ranking, std::size_t block, const MarkOf& mark_of) {
    const std::size_t begin = block == 0 ? 0 : ranking.block_ends[block - 1];
    const std::size_t end = ranking.block_ends[block];
    if (marks_.size() < end - begin) {
      marks_.resize(end - begin);
      ties_.resize(end - begin);
    }
    count_ = 0;
    std::uint32_t tie = 0;
    // Without a branch, because which items are chosen is as good as random.
    for (std::size_t place = begin; place < end; ++place) {
      const ItemMark mark = mark_of(ranking.item_at[place]);
      marks_[count_] = mark;
      ties_[count_] = tie;
      count_ += mark != ItemMark::kNotChosen ? 1 : 0;
      tie += ranking.ends_tie[place];
    }
  }

  /// Calls pass(ties) with the counts of the items of each score.
  template <class Pass>
  void forEachTie(const Pass& pass) const {
    for (std::size_t i = 0; i < count_;) {
      GroupCounts counts;
      const std::uint32_t tie = ties_[i];
      do {
        counts.add(marks_[i]);
        ++i;
      } while (i < count_ && ties_[i] == tie);
      pass(counts);
    }
  }

 private:
  std::size_t count_ = 0;
  std::vector<ItemMark> marks_;
  std::vector<std::uint32_t> ties_;  ///< number of the score within the block
};

}  // namespace dubito
