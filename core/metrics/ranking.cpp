// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/compensated_sum.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

bool hasBothGroups(const ThresholdTable& table) {
  return table.positives > 0.0 && table.negatives > 0.0;
}

RankSums sumsOf(const ThresholdTable& table) {
  RankSums sums(table.positives, table.negatives);
  for (const ThresholdRow& row : table.rows) {
    sums.add(row.true_positives, row.false_positives);
  }
  return sums;
}

double precisionOf(const ThresholdRow& row) {
  return row.true_positives / (row.true_positives + row.false_positives);
}

}  // namespace

ThresholdTable thresholdTable(std::span<const double> scores,
                              std::span<const std::uint8_t> positive,
                              std::span<const double> weights) {
  if (scores.size() != positive.size() || (!weights.empty() && weights.size() != scores.size())) {
    throw std::invalid_argument("thresholdTable: lists of different length");
  }
  if (std::any_of(scores.begin(), scores.end(), [](double s) { return std::isnan(s); })) {
    throw std::invalid_argument("thresholdTable: a score is NaN");
  }
  if (weights.empty()) {
    std::array<std::vector<std::uint64_t>, 2> keys;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      keys[positive[i] != 0 ? 1 : 0].push_back(SortedScores::keyOf(scores[i]));
    }
    const RunContext context;
    const SortedScores negatives(std::move(keys[0]), context);
    const SortedScores positives(std::move(keys[1]), context);
    return thresholdTableOf({{&positives}, {&negatives}}, RankOrder::kHighFirst, context);
  }
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  ThresholdTable table;
  CompensatedSum true_positives;
  CompensatedSum false_positives;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t item = order[rank];
    (positive[item] != 0 ? true_positives : false_positives).add(weights[item]);
    if (rank + 1 == order.size() || scores[order[rank + 1]] != scores[item]) {
      table.rows.push_back({scores[item], true_positives.value(), false_positives.value()});
    }
  }
  table.positives = true_positives.value();
  table.negatives = false_positives.value();
  return table;
}

ThresholdTable thresholdTableOfGroups(std::span<const double> positive_scores,
                                      std::span<const double> negative_scores) {
  std::vector<double> scores(positive_scores.begin(), positive_scores.end());
  scores.insert(scores.end(), negative_scores.begin(), negative_scores.end());
  std::vector<std::uint8_t> positive(scores.size(), 0);
  std::fill_n(positive.begin(), positive_scores.size(), std::uint8_t{1});
  return thresholdTable(scores, positive);
}

double areaUnderRoc(const ThresholdTable& table) {
  return sumsOf(table).areaUnderRoc();
}

double averagePrecision(const ThresholdTable& table) {
  return sumsOf(table).averagePrecision();
}

Curve rocCurve(const ThresholdTable& table) {
  Curve curve;
  curve.summary = areaUnderRoc(table);
  if (hasBothGroups(table)) {
    curve.x.push_back(0.0);
    curve.y.push_back(0.0);
    for (const ThresholdRow& row : table.rows) {
      curve.x.push_back(row.false_positives / table.negatives);
      curve.y.push_back(row.true_positives / table.positives);
    }
  }
  return curve;
}

Curve precisionRecallCurve(const ThresholdTable& table) {
  Curve curve;
  curve.summary = averagePrecision(table);
  if (table.positives > 0.0) {
    curve.x.push_back(0.0);
    curve.y.push_back(precisionOf(table.rows.front()));
    for (const ThresholdRow& row : table.rows) {
      curve.x.push_back(row.true_positives / table.positives);
      curve.y.push_back(precisionOf(row));
    }
  }
  return curve;
}

}  // namespace dubito
