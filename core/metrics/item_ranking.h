// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/metrics/ranked_curves.h"
#include "core/metrics/ranking.h"

namespace dubito {

/// The items of a run and of its OOD runs in the order of one score, most certain items first, so
/// that curves of any subset can be computed without sorting. Takes 7 bytes per item.
struct ItemRanking {
  /// Maximum number of entries of block_ends.
  static constexpr std::size_t kMaxBlocks = 8192;
  static constexpr std::uint16_t kNoBlock = std::numeric_limits<std::uint16_t>::max();

  std::string score;
  std::size_t items = 0;  ///< number of items of all runs
  /// [places] the item at each place of the ranking, one place per ranked item. Items are numbered
  /// run by run; items with equal scores are adjacent.
  std::vector<std::uint32_t> item_at;
  /// [places] 1 if the item at the next place has a different score.
  std::vector<std::uint8_t> ends_tie;
  /// The ends (one past the last place) of blocks of nearly equal length; items with equal scores
  /// are in the same block.
  std::vector<std::uint32_t> block_ends;
  /// [items] the block of each item; kNoBlock for an item that is not ranked.
  std::vector<std::uint16_t> block_of;
};

/// Ranks the items of all runs by their scores, which must not be NaN, by radix sort on the
/// context's threads. After a cancel, the order is undefined. Throws std::length_error for more
/// than 2^32 - 1 items.
[[nodiscard]] ItemRanking rankItems(std::string score,
                                    const std::vector<std::span<const double>>& scores_of_runs,
                                    RankOrder order, const RunContext& context);

/// The ranking of a sample of about one in `share` items. They are chosen by a hash of their
/// numbers, so they are the same for every score. For previews while dragging.
[[nodiscard]] ItemRanking sampledRanking(const ItemRanking& ranking, std::uint32_t share);

/// Level of detail of the curves.
enum class CurveDetail {
  /// Points are off by at most 1/100 of an axis; `summary` is NaN. Fast: reads three bytes per
  /// item, one after the other, and only a part of the items in the order of the ranking.
  kPoints,
  /// Points are off by at most 1/400 of an axis; `summary` is exact, or NaN if a group is empty.
  kWithSummary,
};

/// Number of points per axis.
[[nodiscard]] std::int64_t stepsOfAxis(CurveDetail detail);

/// Computes the curves on the context's threads. `marks` [items]; marks of items outside the
/// ranking are ignored. For ROC and precision-recall, the positives are the items marked kCorrect;
/// `negatives` is kMisclassified or kOod. Throws std::invalid_argument for fewer marks than items.
[[nodiscard]] RankedCurves curvesOfChosen(const ItemRanking& ranking,
                                          std::span<const ItemMark> marks, ItemMark negatives,
                                          CurveDetail detail, const RunContext& context);

}  // namespace dubito
