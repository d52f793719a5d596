// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_columns.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/io/csv.h"
#include "core/io/run_check.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

struct Prefix {
  std::string_view text;
  bool logits;
};

constexpr Prefix kPrefixes[] = {{"logits_", true},
                                {"logit_", true},
                                {"z_", true},
                                {"pred_probs_", false},
                                {"pred_prob_", false},
                                {"probability_", false},
                                {"probs_", false},
                                {"proba_", false},
                                {"prob_", false},
                                {"softmax_", false},
                                {"predictions_", false},
                                {"class_", false},
                                {"p_", false},
                                {"logits", true},
                                {"logit", true},
                                {"probs", false},
                                {"prob", false},
                                {"class", false},
                                {"p", false},
                                {"", false}};

/// Used as the true class if no other column is.
constexpr std::string_view kLastResortLabel[] = {"class"};

/// A single column with one of these names is the probability of class 1 of two.
constexpr std::string_view kBinaryNames[] = {"prob_1", "prob1",   "p_1",   "p1",
                                             "prob",   "proba",   "p",     "probability",
                                             "y_prob", "y_score", "score", "softmax_1"};

/// Names of measures that other programs write next to the probabilities.
constexpr std::string_view kOtherNames[] = {"entropy",
                                            "expected_entropy",
                                            "mutual_information",
                                            "variation_ratio",
                                            "variance",
                                            "margin",
                                            "loss",
                                            "weight",
                                            "index",
                                            "row"};

/// Sorts the columns by number if the numbers are 0 to K-1; else keeps the order of the table and
/// takes the endings as class names.
void orderClasses(std::vector<std::pair<std::string, std::size_t>> classes,
                  PredictionColumns& columns) {
  std::vector<std::size_t> by_number(classes.size(), classes.size());
  bool numbered = true;
  for (std::size_t i = 0; i < classes.size() && numbered; ++i) {
    const auto number = parseInteger(classes[i].first);
    numbered = number && *number >= 0 && static_cast<std::size_t>(*number) < classes.size() &&
               std::exchange(by_number[static_cast<std::size_t>(*number)], i) == classes.size();
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    columns.scores.push_back(classes[numbered ? by_number[i] : i].second);
    if (!numbered) {
      columns.class_names.push_back(classes[i].first);
    }
  }
}

/// Columns with a common prefix and different endings: "prob_cat", "prob_dog".
bool takePrefixed(const std::vector<std::string>& header, const std::vector<std::size_t>& free,
                  PredictionColumns& columns) {
  for (const Prefix& prefix : kPrefixes) {
    std::vector<std::pair<std::string, std::size_t>> classes;
    for (const std::size_t i : free) {
      if (!normalName(header[i]).starts_with(prefix.text)) {
        continue;
      }
      const std::string ending = header[i].substr(prefix.text.size());
      // Prefixes without an underscore are too short to trust unless a number follows.
      if (!ending.empty() && (prefix.text.ends_with('_') || parseInteger(ending))) {
        classes.emplace_back(ending, i);
      }
    }
    if (classes.size() >= 2) {
      columns.scores_are_logits = prefix.logits;
      orderClasses(std::move(classes), columns);
      return true;
    }
  }
  return false;
}

/// All remaining columns of numbers, if the numbers in the first row sum to 1.
void takeDistribution(const std::vector<std::string>& header,
                      const std::vector<std::string_view>& row,
                      const std::vector<std::size_t>& free, PredictionColumns& columns) {
  std::vector<std::pair<std::string, std::size_t>> classes;
  double sum = 0.0;
  for (const std::size_t i : free) {
    if (const auto number = parseNumber(row[i])) {
      classes.emplace_back(header[i], i);
      sum += *number;
    }
  }
  if (classes.size() >= 2 && std::abs(sum - 1.0) <= kRowSumTolerance) {
    orderClasses(std::move(classes), columns);
  }
}

}  // namespace

PredictionColumns findPredictionColumns(const std::vector<std::string>& header,
                                        const std::vector<std::string_view>& first_row) {
  PredictionColumns columns;
  std::vector<bool> taken(header.size(), false);
  const auto take = [&](std::span<const std::string_view> usual) {
    for (const std::size_t i : findNames(header, usual)) {
      if (!taken[i]) {
        taken[i] = true;
        return std::optional<std::size_t>(i);
      }
    }
    return std::optional<std::size_t>();
  };
  columns.label = take(kLabelNames);
  columns.prediction = take(kPredictedNames);
  columns.confidence = take(kConfidenceNames);
  columns.id = take(kIdNames);
  if (!columns.label) {
    columns.label = take(kLastResortLabel);
  }
  const std::vector<std::size_t> others = findNames(header, kOtherNames);
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!taken[i] && std::ranges::find(others, i) == others.end()) {
      free.push_back(i);
    }
  }
  if (!takePrefixed(header, free, columns)) {
    takeDistribution(header, first_row, free, columns);
  }
  if (columns.scores.empty() && !columns.prediction) {
    if (const std::vector<std::size_t> binary = findNames(header, kBinaryNames); !binary.empty()) {
      columns.scores = {binary.front()};
    }
  }
  if (!columns.scores.empty()) {
    for (const auto& other : {columns.prediction, columns.confidence}) {
      if (other) {
        taken[*other] = false;
      }
    }
  }
  for (const std::size_t i : columns.scores) {
    taken[i] = true;
  }
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!taken[i]) {
      columns.unused.push_back(header[i]);
    }
  }
  return columns;
}

}  // namespace dubito
