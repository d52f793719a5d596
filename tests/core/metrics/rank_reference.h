// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/metrics/rank_walk.h"

namespace dubito::test {

/// Scores of two groups as a table, and the metrics of the walk that evaluations use.
struct Ranked {
  ThresholdTable table;
  SelectiveMetrics walked;
};

/// Scores [N], higher for positives; `positive` [N].
[[nodiscard]] Ranked ranked(std::span<const double> scores, std::span<const std::uint8_t> positive);
/// The same from the scores of the two groups.
[[nodiscard]] Ranked rankedGroups(std::span<const double> positive_scores,
                                  std::span<const double> negative_scores);

/// False positive rate at the highest threshold with a true positive rate >= 0.95, from a table
/// with positives and negatives.
[[nodiscard]] double fpr95Of(const ThresholdTable& table);

/// The risk-coverage areas of an unweighted table, positive: correct.
[[nodiscard]] RiskSums riskSumsOf(const ThresholdTable& table);

}  // namespace dubito::test
