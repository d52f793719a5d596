// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

/// How well a score ranks positives above negatives; NaN if either group is empty.
struct RankMetrics {
  double auroc = 0.0;  ///< P(s+ > s-) + P(s+ = s-)/2
  double aupr = 0.0;   ///< average precision: sum of steps over distinct thresholds
  /// False positive rate at the highest threshold with a true positive rate >= 0.95.
  double fpr95 = 0.0;
};

/// Counts (or sums of weights) at or above one threshold.
struct ThresholdRow {
  double threshold = 0.0;
  double true_positives = 0.0;
  double false_positives = 0.0;
};

/// Every distinct score as a threshold, highest first: the basis of all ranking metrics.
struct ThresholdTable {
  std::vector<ThresholdRow> rows;
  double positives = 0.0;
  double negatives = 0.0;
};

/// `scores` [N], higher for positives; `positive` [N]; `weights` [N] >= 0, or empty for 1 each.
/// Throws std::invalid_argument for different sizes and NaN scores.
[[nodiscard]] ThresholdTable thresholdTable(std::span<const double> scores,
                                            std::span<const std::uint8_t> positive,
                                            std::span<const double> weights = {});
/// The same from the scores of the two groups.
[[nodiscard]] ThresholdTable thresholdTableOfGroups(std::span<const double> positive_scores,
                                                    std::span<const double> negative_scores);

/// Area under the ROC curve; ties count half (midranks). NaN if a group is empty.
[[nodiscard]] double areaUnderRoc(const ThresholdTable& table);

/// sum (R_n - R_{n-1}) P_n over the thresholds, not the (optimistic) trapezoid. NaN without
/// positives.
[[nodiscard]] double averagePrecision(const ThresholdTable& table);

/// (false positive rate, true positive rate) from (0, 0) to (1, 1); `summary` is the area. No
/// points if a group is empty.
[[nodiscard]] Curve rocCurve(const ThresholdTable& table);

/// (recall, precision) by threshold, starting at recall 0 with the precision of the highest
/// threshold; `summary` is the average precision. P_n holds on (R_{n-1}, R_n]: draw as steps. No
/// points without positives.
[[nodiscard]] Curve precisionRecallCurve(const ThresholdTable& table);

}  // namespace dubito
