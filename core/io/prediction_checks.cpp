// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/in_quotes.h"
#include "core/io/row_tolerance.h"
#include "core/io/run_check.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr double kPercent = 100.0;

Status comparePredictions(const Run& run, const std::vector<std::int64_t>& predicted,
                          RawPredictions& raw) {
  std::int64_t different = 0;
  std::int64_t known = 0;
  std::int64_t first = -1;
  for (std::int64_t i = 0; i < std::ssize(predicted); ++i) {
    const std::int64_t k = predicted[static_cast<std::size_t>(i)];
    if (k < 0) {
      continue;
    }
    ++known;
    // Equal probabilities may have been resolved otherwise, or by digits that were not stored.
    if (run.prob(i, k) < run.prob(i, run.predictions.data()[i])) {
      first = different++ == 0 ? i : first;
    }
  }
  if (different == 0) {
    return {};
  }
  const std::string text = fmt::format(
      "{} differs from the class with the largest probability in {} of {} rows (first "
      "in {})",
      raw.predicted->name, different, known, raw.file.nameOf(first));
  if (2 * different > known) {
    return raw.file.malformed(text + "; the classes of both must be numbered or named alike");
  }
  raw.notes.push_back(text + "; the largest probability is used");
  return {};
}

void compareConfidences(const Run& run, RawPredictions& raw) {
  const Array<double> stored = toDouble(raw.confidence->values);
  if (stored.size() != run.itemCount() || stored.size() == 0) {
    raw.notes.push_back(fmt::format("{} has {} values for {} items and was not used",
                                    raw.confidence->name, stored.size(), run.itemCount()));
    return;
  }
  const auto [low, high] = std::ranges::minmax(stored.values());
  const double scale = high > 1.0 + kRowSumTolerance && high <= kPercent ? kPercent : 1.0;
  const double tolerance = rowTolerance(stored.reshaped({stored.size(), 1}), scale).tolerance;
  std::int64_t different = 0;
  double largest = 0.0;
  for (std::int64_t i = 0; i < stored.size(); ++i) {
    const double difference = std::abs(stored.data()[i] - scale * run.confidence.data()[i]) / scale;
    if (!(difference <= tolerance / scale)) {
      ++different;
      largest = std::isnan(difference) ? largest : std::max(largest, difference);
    }
  }
  if (different > 0) {
    raw.notes.push_back(
        fmt::format("{} differs from the largest probability in {} of {} rows (by up to {:.2g}); "
                    "the largest probability is used",
                    raw.confidence->name, different, stored.size(), largest));
  }
}

void compareLogits(const Run& run, RawPredictions& raw) {
  const Array<double> logits = toDouble(raw.other_logits->values);
  if (logits.shape() != std::vector{run.itemCount(), run.classCount()}) {
    raw.notes.push_back(fmt::format("{} has the shape {} and was not compared with {}",
                                    raw.other_logits->name, shapeText(logits.shape()),
                                    raw.scores_name));
    return;
  }
  std::int64_t other_class = 0;
  std::int64_t other_probs = 0;
  for (std::int64_t i = 0; i < logits.extent(0); ++i) {
    const std::vector<double> probs = softmax(logits.row(i));
    const std::int64_t predicted = run.predictions.data()[i];
    const auto at = static_cast<std::size_t>(predicted);
    other_class += logits.row(i)[at] < std::ranges::max(logits.row(i)) ? 1 : 0;
    other_probs += std::abs(probs[at] - run.prob(i, predicted)) > kRowSumTolerance ? 1 : 0;
  }
  if (other_probs > 0) {
    raw.notes.push_back(
        fmt::format("the softmax of {} differs from {} in {} of {} rows, and its class in {}; {} "
                    "is used",
                    raw.other_logits->name, raw.scores_name, other_probs, logits.extent(0),
                    other_class, raw.scores_name));
  }
}

}  // namespace

Status compareWithFile(const Run& run, const std::vector<std::int64_t>& predicted,
                       RawPredictions& raw) {
  if (!predicted.empty()) {
    if (Status same = comparePredictions(run, predicted, raw); !same) {
      return same;
    }
  }
  if (raw.confidence) {
    compareConfidences(run, raw);
  }
  if (raw.other_logits) {
    compareLogits(run, raw);
  }
  return {};
}

Expected<Array<double>> readConfidences(RawPredictions& raw) {
  Array<double> stored = toDouble(raw.confidence->values);
  stored = stored.reshaped({stored.size()});
  const auto values = stored.values();
  const auto outside = [&values](double limit) {
    return std::ranges::find_if_not(values, [limit](double p) { return p >= 0.0 && p <= limit; });
  };
  const bool percent =
      outside(1.0) != values.end() && outside(kPercent) == values.end() &&
      std::ranges::count_if(values, [](double p) { return p > 1.0; }) * 2 > std::ssize(values);
  if (const auto bad = outside(percent ? kPercent : 1.0); bad != values.end()) {
    return raw.file.malformed(
        fmt::format("{} has {} in {}, which is not a number from 0 to 1; correct it",
                    raw.file.nameOf(bad - values.begin()), inQuotes(fmt::format("{}", *bad)),
                    raw.confidence->name));
  }
  if (percent) {
    raw.notes.push_back(raw.confidence->name + " is in per cent and was divided by 100");
    Array<double> scaled = Array<double>::zeros(stored.shape());
    std::ranges::transform(values, scaled.mutableData(), [](double p) { return p / kPercent; });
    return scaled;
  }
  return stored;
}

}  // namespace dubito
