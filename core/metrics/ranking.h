// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

/// How well a score ranks positives above negatives; NaN if one of the two is missing.
struct RankMetrics {
  double auroc = 0.0;  ///< P(s+ > s-) + P(s+ = s-)/2
  double aupr = 0.0;   ///< average precision: step sum over distinct thresholds
  double fpr95 =
      0.0;  ///< false positive rate at the highest threshold with a true positive rate >= 0.95
};

/// What lies at or above one threshold. Counts; with weighted items their weights.
struct ThresholdRow {
  double threshold = 0.0;
  double true_positives = 0.0;
  double false_positives = 0.0;
};

/// Every distinct score as a threshold, from the highest: all that ranking metrics need. Items
/// with equal scores pass together.
struct ThresholdTable {
  std::vector<ThresholdRow> rows;
  double positives = 0.0;
  double negatives = 0.0;
};

/// `scores` [N], higher for positives; `positive` [N]; `weights` [N] >= 0, or empty for 1 each.
/// Throws std::invalid_argument for sizes that differ and NaN scores.
[[nodiscard]] ThresholdTable thresholdTable(std::span<const double> scores,
                                            std::span<const std::uint8_t> positive,
                                            std::span<const double> weights = {});
/// The same from the scores of the two groups.
[[nodiscard]] ThresholdTable thresholdTableOfGroups(std::span<const double> positive_scores,
                                                    std::span<const double> negative_scores);

/// Area under the ROC curve, ties half (midranks). NaN if a group is empty.
[[nodiscard]] double areaUnderRoc(const ThresholdTable& table);

/// sum (R_n - R_{n-1}) P_n over the thresholds, not the (optimistic) trapezoid. NaN if there is no
/// positive.
[[nodiscard]] double averagePrecision(const ThresholdTable& table);

/// (false positive rate, true positive rate) from (0, 0) to (1, 1), `summary` the area. No points
/// if a group is empty.
[[nodiscard]] Curve rocCurve(const ThresholdTable& table);

/// (recall, precision) by threshold, from recall 0 at the precision of the highest threshold,
/// `summary` the average precision. Precision P_n holds on (R_{n-1}, R_n]: draw as steps. No points
/// if there is no positive.
[[nodiscard]] Curve precisionRecallCurve(const ThresholdTable& table);

}  // namespace dubito
