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
  double aupr = 0.0;   ///< average precision, see averagePrecision
  /// False positive rate at the highest threshold with a true positive rate >= 0.95.
  double fpr95 = 0.0;
};

/// RankMetrics and the areas of selective prediction of a score by which correct predictions
/// (positives) should rank above wrong ones, see RiskCoverage.
struct SelectiveMetrics {
  RankMetrics rank;
  double aurc = 0.0;
  double eaurc = 0.0;
  double augrc = 0.0;
};

/// Whether high or low scores rank first.
enum class RankOrder {
  kHighFirst,
  kLowFirst,
};

/// Numbers (or sums of weights) of items scored at or above a threshold.
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

/// `scores` [N], higher for positives; `positive` [N] is 1 for positives, else 0; `weights` [N] >=
/// 0, or empty for 1 each. Throws std::invalid_argument if the sizes differ or a score is NaN.
[[nodiscard]] ThresholdTable thresholdTable(std::span<const double> scores,
                                            std::span<const std::uint8_t> positive,
                                            std::span<const double> weights = {});
/// Like thresholdTable, but with the scores of the two groups in separate lists.
[[nodiscard]] ThresholdTable thresholdTableOfGroups(std::span<const double> positive_scores,
                                                    std::span<const double> negative_scores);

/// Area under the ROC curve; ties count half (midranks). NaN if a group is empty.
[[nodiscard]] double areaUnderRoc(const ThresholdTable& table);

/// sum (R_n - R_{n-1}) P_n over the thresholds, with recall R and precision P. Unlike trapezoids,
/// the steps are not optimistic. NaN without positives.
[[nodiscard]] double averagePrecision(const ThresholdTable& table);

/// (false positive rate, true positive rate) from (0, 0) to (1, 1); `summary` is the area. No
/// points if a group is empty.
[[nodiscard]] Curve rocCurve(const ThresholdTable& table);

/// (recall, precision) by threshold, starting at recall 0 with the precision of the highest
/// threshold; `summary` is the average precision. Draw as steps: P_n is valid on (R_{n-1}, R_n]. No
/// points without positives.
[[nodiscard]] Curve precisionRecallCurve(const ThresholdTable& table);

}  // namespace dubito
