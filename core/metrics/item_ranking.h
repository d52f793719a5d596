// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/plot_values.h"
#include "core/metrics/rank_walk.h"

namespace dubito {

/// The items of a run, and of OOD runs beside it, in the order of one score, certain ones first:
/// with it the curves of any part of them need no sorting. Takes 5 bytes per item.
struct ItemRanking {
  /// So many blocks at most.
  static constexpr std::size_t kBlocks = 32768;

  std::string score;
  std::size_t items = 0;  ///< of all runs
  /// [places] the item there, counted run after run; items with equal scores are neighbours.
  std::vector<std::uint32_t> item_at;
  /// [places] 1 if the next place has another score.
  std::vector<std::uint8_t> ends_tie;
  /// Ends (one behind the last place) of blocks of nearly equal length that no tie crosses.
  std::vector<std::uint32_t> block_ends;
};

/// Ranks the items of all runs by the scores of each. Throws std::length_error for more items than
/// a place can number; no score may be NaN.
[[nodiscard]] ItemRanking rankItems(std::string score,
                                    const std::vector<std::span<const double>>& scores_of_runs,
                                    RankOrder order);

/// The ranking of a part of its items alone: about one of `share`, the same ones for every score,
/// chosen by a hash of their numbers. For what follows a mouse.
[[nodiscard]] ItemRanking sampledRanking(const ItemRanking& ranking, std::uint32_t share);

/// What a chosen item counts as.
enum class ItemMark : std::uint8_t { kNotChosen = 0, kCorrect = 1, kMisclassified = 2, kOod = 4 };

/// What curves say of chosen items, as Overview draws them. No points if a group is empty.
struct ChosenCurves {
  Curve roc;
  Curve precision_recall;  ///< draw as steps
  Curve rejection;
};

/// How much of the curves is made.
enum class CurveDetail {
  /// Points off by at most 1/100 of an axis, `summary` NaN; mostly a pass over a byte per item.
  kPoints,
  /// Points off by at most 1/400, `summary` exact and NaN if a group is empty.
  kWithSummary,
};

/// One walk over all places. `marks` [items]; those of items that are not ranked are not looked at.
/// `negatives` of ROC and precision-recall: kMisclassified or kOod, positives are kCorrect. Throws
/// std::invalid_argument for fewer marks than items.
[[nodiscard]] ChosenCurves curvesOfChosen(const ItemRanking& ranking,
                                          std::span<const ItemMark> marks, ItemMark negatives,
                                          CurveDetail detail);

}  // namespace dubito
