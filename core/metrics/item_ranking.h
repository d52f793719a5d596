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
/// with it the curves of any part of them need no sorting. Takes 5 bytes an item.
struct ItemRanking {
  std::string score;
  /// [items, run after run] the place of each; items with equal scores are neighbours.
  std::vector<std::uint32_t> place_of;
  /// [places] 1 where the next place has another score.
  std::vector<std::uint8_t> ends_tie;
};

/// Ranks the items of all runs by the scores of each. Throws std::length_error for more items than
/// a place can number; no score may be NaN.
[[nodiscard]] ItemRanking rankItems(std::string score,
                                    const std::vector<std::span<const double>>& scores_of_runs,
                                    RankOrder order);

/// What a chosen item counts as.
enum class ItemMark : std::uint8_t { kNotChosen, kCorrect, kMisclassified, kOod };

/// What curves say of chosen items: as Overview draws them, `summary` exact, the points off by at
/// most 1/400 of an axis. No points, and NaN, where a group is empty.
struct ChosenCurves {
  Curve roc;
  Curve precision_recall;  ///< draw as steps
  Curve rejection;
};

/// One walk over all places. `marks` [places]; `negatives` of ROC and precision-recall:
/// kMisclassified or kOod, positives are kCorrect. Throws std::invalid_argument for another number
/// of marks.
[[nodiscard]] ChosenCurves curvesOfChosen(const ItemRanking& ranking,
                                          std::span<const ItemMark> marks, ItemMark negatives);

}  // namespace dubito
