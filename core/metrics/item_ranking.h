// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/plot_values.h"
#include "core/metrics/rank_walk.h"

namespace dubito {

/// The items of a run and of its OOD runs in the order of one score, certain items first: curves of
/// any subset of them then need no sorting. Takes 5 bytes per item.
struct ItemRanking {
  /// Maximum number of blocks.
  static constexpr std::size_t kBlocks = 32768;

  std::string score;
  std::size_t items = 0;  ///< of all runs
  /// [places] the item at each place, numbered run after run; items with equal scores are adjacent.
  std::vector<std::uint32_t> item_at;
  /// [places] 1 if the next place has a different score.
  std::vector<std::uint8_t> ends_tie;
  /// Ends (one past the last place) of blocks of nearly equal length; ties are never split.
  std::vector<std::uint32_t> block_ends;
};

/// Ranks the items of all runs by their scores, which must not be NaN. Throws std::length_error for
/// more than 2^32 - 1 items.
[[nodiscard]] ItemRanking rankItems(std::string score,
                                    const std::vector<std::span<const double>>& scores_of_runs,
                                    RankOrder order);

/// The ranking of a sample: about one of `share` items, chosen by a hash of their numbers, so the
/// same items for every score. For previews while dragging.
[[nodiscard]] ItemRanking sampledRanking(const ItemRanking& ranking, std::uint32_t share);

/// The group of a chosen item.
enum class ItemMark : std::uint8_t { kNotChosen = 0, kCorrect = 1, kMisclassified = 2, kOod = 4 };

/// Curves of chosen items, as in Overview. No points if a group is empty.
struct ChosenCurves {
  Curve roc;
  Curve precision_recall;  ///< draw as steps
  Curve rejection;
};

/// Level of detail of the curves.
enum class CurveDetail {
  /// Points are off by at most 1/100 of an axis, `summary` is NaN; mostly one pass over a byte per
  /// item.
  kPoints,
  /// Points are off by at most 1/400; `summary` is exact, and NaN if a group is empty.
  kWithSummary,
};

/// Computes the curves in one pass over all places. `marks` [items]; marks of unranked items are
/// ignored. ROC and precision-recall: positives are kCorrect, `negatives` is kMisclassified or
/// kOod. Throws std::invalid_argument for fewer marks than items.
[[nodiscard]] ChosenCurves curvesOfChosen(const ItemRanking& ranking,
                                          std::span<const ItemMark> marks, ItemMark negatives,
                                          CurveDetail detail);

}  // namespace dubito
