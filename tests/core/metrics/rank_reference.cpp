// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/metrics/rank_reference.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dubito::test {
namespace {

SortedScores sortedOf(std::span<const double> scores) {
  std::vector<std::uint64_t> keys;
  std::ranges::transform(scores, std::back_inserter(keys), SortedScores::keyOf);
  return {std::move(keys), RunContext()};
}

}  // namespace

Ranked ranked(std::span<const double> scores, std::span<const std::uint8_t> positive) {
  std::vector<double> of_positives;
  std::vector<double> of_negatives;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    (positive[i] != 0 ? of_positives : of_negatives).push_back(scores[i]);
  }
  return rankedGroups(of_positives, of_negatives);
}

Ranked rankedGroups(std::span<const double> positive_scores,
                    std::span<const double> negative_scores) {
  const SortedScores positives = sortedOf(positive_scores);
  const SortedScores negatives = sortedOf(negative_scores);
  return {thresholdTableOfGroups(positive_scores, negative_scores),
          walkMetrics({{&positives}, {&negatives}}, RankOrder::kHighFirst, RunContext())};
}

double fpr95Of(const ThresholdTable& table) {
  const auto row = std::ranges::find_if(table.rows, [&](const ThresholdRow& r) {
    return r.true_positives / table.positives >= 0.95;
  });
  return row->false_positives / table.negatives;
}

RiskSums riskSumsOf(const ThresholdTable& table) {
  RiskSums sums;
  double kept = 0.0;
  double errors = 0.0;
  for (const ThresholdRow& row : table.rows) {
    const double kept_here = row.true_positives + row.false_positives;
    sums.add(static_cast<std::int64_t>(kept_here - kept),
             static_cast<std::int64_t>(row.false_positives - errors));
    kept = kept_here;
    errors = row.false_positives;
  }
  return sums;
}

}  // namespace dubito::test
