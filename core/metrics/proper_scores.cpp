// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/proper_scores.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/measures/measures.h"
#include "core/metrics/compensated_sum.h"
#include "core/metrics/labelled_rows.h"

namespace dubito {
namespace {

/// Mean of loss(row, label) over the labelled rows.
template <class T, class Loss>
double meanLoss(const Array<T>& table, std::span<const std::int64_t> labels, const Loss& loss) {
  const std::vector<std::int64_t> items = labelledRows(table, labels);
  CompensatedSum sum;
  for (const std::int64_t i : items) {
    sum.add(loss(table.row(i), static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])));
  }
  return items.empty() ? std::numeric_limits<double>::quiet_NaN()
                       : sum.value() / static_cast<double>(items.size());
}

template <class T>
double nllOf(const Array<T>& probs, std::span<const std::int64_t> labels, double smallest) {
  return meanLoss(probs, labels, [&](std::span<const T> row, std::size_t label) {
    return -std::log(std::max(double{row[label]}, smallest));
  });
}

template <class T>
double nllOfLogits(const Array<T>& logits, std::span<const std::int64_t> labels) {
  return meanLoss(logits, labels, [](std::span<const T> row, std::size_t label) {
    return -logSoftmax(row)[label];
  });
}

template <class T>
double brierOf(const Array<T>& probs, std::span<const std::int64_t> labels) {
  return meanLoss(probs, labels, [](std::span<const T> row, std::size_t label) {
    double sum = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double difference = double{row[k]} - (k == label ? 1.0 : 0.0);
      sum += difference * difference;
    }
    return sum;
  });
}

}  // namespace

double accuracyOf(std::span<const std::int64_t> predictions, std::span<const std::int64_t> labels) {
  if (predictions.size() != labels.size()) {
    throw std::invalid_argument("accuracyOf: as many predictions as labels are needed");
  }
  std::int64_t labelled = 0;
  std::int64_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labelled += labels[i] >= 0 ? 1 : 0;
    right += labels[i] >= 0 && predictions[i] == labels[i] ? 1 : 0;
  }
  return labelled > 0 ? static_cast<double>(right) / static_cast<double>(labelled)
                      : std::numeric_limits<double>::quiet_NaN();
}

double negativeLogLikelihood(const Array<float>& probs, std::span<const std::int64_t> labels,
                             double smallest) {
  return nllOf(probs, labels, smallest);
}
double negativeLogLikelihood(const Array<double>& probs, std::span<const std::int64_t> labels,
                             double smallest) {
  return nllOf(probs, labels, smallest);
}

double negativeLogLikelihoodFromLogits(const Array<float>& logits,
                                       std::span<const std::int64_t> labels) {
  return nllOfLogits(logits, labels);
}
double negativeLogLikelihoodFromLogits(const Array<double>& logits,
                                       std::span<const std::int64_t> labels) {
  return nllOfLogits(logits, labels);
}

double brierScore(const Array<float>& probs, std::span<const std::int64_t> labels) {
  return brierOf(probs, labels);
}
double brierScore(const Array<double>& probs, std::span<const std::int64_t> labels) {
  return brierOf(probs, labels);
}

double meanConfidence(std::span<const double> confidence) {
  CompensatedSum sum;
  for (const double value : confidence) {
    sum.add(value);
  }
  return confidence.empty() ? std::numeric_limits<double>::quiet_NaN()
                            : sum.value() / static_cast<double>(confidence.size());
}

}  // namespace dubito
