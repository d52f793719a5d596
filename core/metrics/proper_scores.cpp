// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/proper_scores.h"

#include <algorithm>
#include <cmath>

#include "core/base/compensated_sum.h"
#include "core/base/nan.h"
#include "core/metrics/labelled_rows.h"

namespace dubito {
namespace {

template <class T>
double nllOf(const Array<T>& probs, std::span<const std::int64_t> labels, double smallest) {
  const std::vector<std::int64_t> items = labelledRows(probs, labels);
  CompensatedSum sum;
  for (const std::int64_t i : items) {
    const auto label = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
    sum.add(-std::log(std::max(double{probs.row(i)[label]}, smallest)));
  }
  return items.empty() ? kNaN : sum.value() / static_cast<double>(items.size());
}

}  // namespace

double negativeLogLikelihood(const Array<float>& probs, std::span<const std::int64_t> labels,
                             double smallest) {
  return nllOf(probs, labels, smallest);
}
double negativeLogLikelihood(const Array<double>& probs, std::span<const std::int64_t> labels,
                             double smallest) {
  return nllOf(probs, labels, smallest);
}

double meanConfidence(std::span<const double> confidence) {
  return meanOf(confidence);
}

}  // namespace dubito
