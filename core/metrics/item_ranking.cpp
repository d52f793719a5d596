// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/item_ranking.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/base/collect_parts.h"
#include "core/metrics/chosen_of_block.h"
#include "core/metrics/counted_curves.h"
#include "core/metrics/keyed_item.h"
#include "core/metrics/radix_sort.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

/// Number of items per group in each block of a ranking.
class BlockCounts {
 public:
  explicit BlockCounts(const ItemRanking& ranking)
      : blocks_(ranking.block_ends.size()), counts_((blocks_ + 1) * kPerBlock) {}

  /// Adds the items from `begin` to `end`.
  void add(const ItemRanking& ranking, std::span<const ItemMark> marks, std::size_t begin,
           std::size_t end) {
    const std::uint16_t* const block_of = ranking.block_of.data();
    const ItemMark* const mark_of = marks.data();
    std::uint32_t* const counts = counts_.data();
    const std::size_t last = blocks_;  // what is not ranked is counted there
    for (std::size_t item = begin; item < end; ++item) {
      const std::size_t block = std::min<std::size_t>(block_of[item], last);
      ++counts[block * kPerBlock + static_cast<std::size_t>(mark_of[item])];
    }
  }
  void add(const BlockCounts& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      counts_[i] += other.counts_[i];
    }
  }

  [[nodiscard]] GroupCounts of(std::size_t block) const {
    const auto count = [&](ItemMark mark) {
      return std::int64_t{counts_[block * kPerBlock + static_cast<std::size_t>(mark)]};
    };
    GroupCounts counts;
    counts.correct = count(ItemMark::kCorrect);
    counts.misclassified = count(ItemMark::kMisclassified);
    counts.ood = count(ItemMark::kOod);
    return counts;
  }

 private:
  static constexpr std::size_t kPerBlock = static_cast<std::size_t>(ItemMark::kOod) + 1;

  std::size_t blocks_;
  std::vector<std::uint32_t> counts_;
};

BlockCounts countBlocks(const ItemRanking& ranking, std::span<const ItemMark> marks,
                        const RunContext& context) {
  // Few parts, because each has its own counts.
  const auto items = static_cast<std::int64_t>(ranking.items);
  const std::int64_t grain = std::max<std::int64_t>(8 * kItemsPerPart, (items + 7) / 8);
  const std::vector<BlockCounts> parts = collectParts(
      items, grain, BlockCounts(ranking), context,
      [&](std::int64_t begin, std::int64_t end, BlockCounts& counts) {
        counts.add(ranking, marks, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
      });
  BlockCounts all(ranking);
  for (const BlockCounts& part : parts) {
    all.add(part);
  }
  return all;
}

void assignBlocks(ItemRanking& ranking) {
  ranking.block_of.assign(ranking.items, ItemRanking::kNoBlock);
  std::size_t place = 0;
  for (std::size_t block = 0; block < ranking.block_ends.size(); ++block) {
    for (; place < ranking.block_ends[block]; ++place) {
      ranking.block_of[ranking.item_at[place]] = static_cast<std::uint16_t>(block);
    }
  }
}

std::vector<std::uint32_t> blocksOf(const std::vector<std::uint8_t>& ends_tie) {
  std::vector<std::uint32_t> ends;
  std::size_t begin = 0;
  for (std::size_t place = 0; place < ends_tie.size(); ++place) {
    const std::size_t end = place + 1;
    if (ends_tie[place] != 0 &&
        (end == ends_tie.size() || (end - begin) * ItemRanking::kMaxBlocks >= ends_tie.size())) {
      ends.push_back(static_cast<std::uint32_t>(end));
      begin = end;
    }
  }
  return ends;
}

/// The summaries of the curves. Blocks are passed in parts on the context's threads, each with
/// the counts of the blocks before it.
RankedSums sumsOf(const ItemRanking& ranking, const BlockCounts& counts,
                  std::span<const ItemMark> marks, ItemMark negatives, const RunContext& context) {
  constexpr std::size_t kBlocksPerPart = 256;
  const std::size_t blocks = ranking.block_ends.size();
  std::vector<GroupCounts> passed;
  GroupCounts all;
  for (std::size_t block = 0; block < blocks; ++block) {
    if (block % kBlocksPerPart == 0) {
      passed.push_back(all);
    }
    all.add(counts.of(block));
  }
  std::vector<RankedSums> parts;
  for (const GroupCounts& before : passed) {
    parts.emplace_back(all, negatives, before);
  }
  context.forEach(parts.size(), [&](std::size_t part) {
    RankedSums sums = parts[part];
    ChosenOfBlock chosen;
    const std::size_t end = std::min(blocks, (part + 1) * kBlocksPerPart);
    for (std::size_t block = part * kBlocksPerPart; block < end; ++block) {
      if (counts.of(block).any()) {
        chosen.gather(ranking, block, [&](std::uint32_t item) { return marks[item]; });
        chosen.forEachTie([&](const GroupCounts& ties) { sums.add(ties); });
      }
    }
    parts[part] = sums;
  });
  RankedSums sums(all, negatives);
  for (const RankedSums& part : parts) {
    sums.append(part);
  }
  return sums;
}

}  // namespace

ItemRanking rankItems(std::string score, const std::vector<std::span<const double>>& scores_of_runs,
                      RankOrder order, const RunContext& context) {
  std::size_t items = 0;
  for (const std::span<const double> scores : scores_of_runs) {
    items += scores.size();
  }
  if (items > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("rankItems: more than 2^32 - 1 items");
  }
  std::vector<KeyedItem> entries(items);
  std::size_t first = 0;
  for (const std::span<const double> scores : scores_of_runs) {
    context.parallelFor(
        std::ssize(scores), kItemsPerPart, [&](std::int64_t begin, std::int64_t end) {
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            const std::uint64_t key = SortedScores::keyOf(scores[i]);
            entries[first + i] = {order == RankOrder::kLowFirst ? key : ~key,
                                  static_cast<std::uint32_t>(first + i)};
          }
        });
    first += scores.size();
  }
  radixSort(entries, context);  // stable: items with equal scores stay in their order
  ItemRanking ranking;
  ranking.score = std::move(score);
  ranking.items = items;
  ranking.item_at.resize(items);
  ranking.ends_tie.resize(items);
  context.parallelFor(
      static_cast<std::int64_t>(items), kItemsPerPart, [&](std::int64_t begin, std::int64_t end) {
        for (auto place = static_cast<std::size_t>(begin); place < static_cast<std::size_t>(end);
             ++place) {
          ranking.item_at[place] = entries[place].item;
          ranking.ends_tie[place] =
              place + 1 == items || entries[place + 1].key() != entries[place].key() ? 1 : 0;
        }
      });
  ranking.block_ends = blocksOf(ranking.ends_tie);
  assignBlocks(ranking);
  return ranking;
}

ItemRanking sampledRanking(const ItemRanking& ranking, std::uint32_t share) {
  ItemRanking sampled;
  sampled.score = ranking.score;
  sampled.items = ranking.items;
  for (std::size_t place = 0; place < ranking.item_at.size(); ++place) {
    // Multiplication by the golden ratio spreads neighbouring numbers evenly.
    const std::uint32_t hash = ranking.item_at[place] * 2654435769U;
    if (hash <= std::numeric_limits<std::uint32_t>::max() / share) {
      sampled.item_at.push_back(ranking.item_at[place]);
      sampled.ends_tie.push_back(ranking.ends_tie[place]);
    } else if (ranking.ends_tie[place] != 0 && !sampled.ends_tie.empty()) {
      sampled.ends_tie.back() = 1;  // the last item of the tie is not in the sample
    }
  }
  sampled.block_ends = blocksOf(sampled.ends_tie);
  assignBlocks(sampled);
  return sampled;
}

std::int64_t stepsOfAxis(CurveDetail detail) {
  return detail == CurveDetail::kPoints ? 300 : 800;
}

RankedCurves curvesOfChosen(const ItemRanking& ranking, std::span<const ItemMark> marks,
                            ItemMark negatives, CurveDetail detail, const RunContext& context) {
  if (marks.size() < ranking.items) {
    throw std::invalid_argument("curvesOfChosen: needs a mark for every item");
  }
  const BlockCounts counts = countBlocks(ranking, marks, context);
  RankedCurves curves = countedCurves(
      ranking, [&](std::size_t block) { return counts.of(block); },
      [&](std::uint32_t item) { return marks[item]; }, negatives, detail);
  if (detail == CurveDetail::kWithSummary) {
    sumsOf(ranking, counts, marks, negatives, context).summarise(curves);
  }
  return curves;
}

}  // namespace dubito
