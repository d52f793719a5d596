// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/item_ranking.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/base/collect_parts.h"
#include "core/metrics/radix_sort.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

/// Number of points per axis.
std::int64_t stepsOfAxis(CurveDetail detail) {
  return detail == CurveDetail::kPoints ? 300 : 800;
}

/// GroupCounts eight marks at a time: their bits are summed in the bytes of a word.
GroupCounts countsOf(std::span<const ItemMark> marks) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::size_t kMaxWords = 255;  // a byte counts to 255
  const auto sumOfBytes = [](std::uint64_t word) {
    std::int64_t sum = 0;
    for (int byte = 0; byte < 8; ++byte) {
      sum += static_cast<std::int64_t>(word >> (8 * byte) & 0xff);
    }
    return sum;
  };
  GroupCounts counts;
  std::size_t i = 0;
  while (i + 8 <= marks.size()) {
    std::uint64_t correct = 0;
    std::uint64_t misclassified = 0;
    std::uint64_t ood = 0;
    for (std::size_t words = 0; words < kMaxWords && i + 8 <= marks.size(); ++words, i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, marks.data() + i, 8);
      correct += word & kOnes;
      misclassified += word >> 1 & kOnes;
      ood += word >> 2 & kOnes;
    }
    counts.correct += sumOfBytes(correct);
    counts.misclassified += sumOfBytes(misclassified);
    counts.ood += sumOfBytes(ood);
  }
  for (; i < marks.size(); ++i) {
    counts.add(marks[i]);
  }
  return counts;
}

/// An item and the key of its score, in 12 bytes.
class KeyedItem {
 public:
  KeyedItem() = default;
  KeyedItem(std::uint64_t key, std::uint32_t of_item)
      : item(of_item),
        low_(static_cast<std::uint32_t>(key)),
        high_(static_cast<std::uint32_t>(key >> 32)) {}

  [[nodiscard]] std::uint64_t key() const { return std::uint64_t{high_} << 32 | low_; }

  std::uint32_t item = 0;

 private:
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0;
};

[[nodiscard]] std::uint64_t sortKeyOf(const KeyedItem& entry) {
  return entry.key();
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

/// Calls visit(ties) for every score of a chosen item. `marks` [places] begin at place `first`.
template <class Visit>
void walkTies(const ItemRanking& ranking, std::span<const ItemMark> marks, std::size_t first,
              const Visit& visit) {
  GroupCounts ties;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    ties.add(marks[i]);
    if (ranking.ends_tie[first + i] != 0 && ties.any()) {
      visit(ties);
      ties = {};
    }
  }
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
  return sampled;
}

RankedCurves curvesOfChosen(const ItemRanking& ranking, std::span<const ItemMark> marks,
                            ItemMark negatives, CurveDetail detail) {
  if (marks.size() < ranking.items) {
    throw std::invalid_argument("curvesOfChosen: needs a mark for every item");
  }
  std::vector<ItemMark> placed(ranking.item_at.size());
  for (std::size_t place = 0; place < placed.size(); ++place) {
    placed[place] = marks[ranking.item_at[place]];
  }
  const bool with_sums = detail == CurveDetail::kWithSummary;
  RankedCurveMaker maker(countsOf(placed), negatives, stepsOfAxis(detail));
  std::size_t begin = 0;
  for (const std::uint32_t end : ranking.block_ends) {
    const std::span<const ItemMark> in_block = std::span(placed).subspan(begin, end - begin);
    const GroupCounts block = countsOf(in_block);
    if (!with_sums && maker.isOnePoint(block)) {
      maker.addPoint(block);
    } else if (block.any()) {
      walkTies(ranking, in_block, begin, [&](const GroupCounts& ties) {
        maker.addPoint(ties);
        if (with_sums) {
          maker.addToSums(ties);
        }
      });
    }
    begin = end;
  }
  return maker.take(ranking.score, with_sums);
}

}  // namespace dubito
