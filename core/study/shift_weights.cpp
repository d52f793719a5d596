// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/shift_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/decisions/logit_table.h"
#include "core/train/head/softmax_regression.h"

namespace dubito {
namespace {

/// Prior precision of intercept and weights of the logistic regression.
constexpr double kRatioPriorPrecision = 1.0;

/// ln p_k - mean_l ln p_l of one item.
void writeCentredLogs(const Run& run, std::int64_t item, float* out) {
  const std::int64_t classes = run.classCount();
  double sum = 0.0;
  std::vector<double> logs(static_cast<std::size_t>(classes));
  for (std::int64_t k = 0; k < classes; ++k) {
    const double log = clampedLog(static_cast<float>(run.prob(item, k)));
    logs[static_cast<std::size_t>(k)] = log;
    sum += log;
  }
  for (std::int64_t k = 0; k < classes; ++k) {
    out[k] =
        static_cast<float>(logs[static_cast<std::size_t>(k)] - sum / static_cast<double>(classes));
  }
}

/// Mean 0 and standard deviation 1 of every column; constant columns become 0.
void standardise(std::vector<float>& values, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t k = 0; k < columns; ++k) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::int64_t i = 0; i < rows; ++i) {
      sum += values[static_cast<std::size_t>(i * columns + k)];
    }
    const double mean = sum / static_cast<double>(rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      const double rest = values[static_cast<std::size_t>(i * columns + k)] - mean;
      squares += rest * rest;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(rows));
    for (std::int64_t i = 0; i < rows; ++i) {
      float& value = values[static_cast<std::size_t>(i * columns + k)];
      value = deviation > 0.0 ? static_cast<float>((value - mean) / deviation) : 0.0F;
    }
  }
}

}  // namespace

Expected<ShiftWeights> shiftWeights(const Run& source, const Run& target, RunContext& context) {
  if (!source.probs || !target.probs || source.classCount() != target.classCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} and {}: density ratios need probabilities of the same classes; use "
                            "runs of one model",
                            source.meta.dataset_name, target.meta.dataset_name));
  }
  const std::int64_t n = source.itemCount();
  const std::int64_t m = target.itemCount();
  const std::int64_t classes = source.classCount();
  std::vector<float> values(static_cast<std::size_t>((n + m) * classes));
  for (std::int64_t i = 0; i < n + m; ++i) {
    writeCentredLogs(i < n ? source : target, i < n ? i : i - n, values.data() + i * classes);
  }
  standardise(values, n + m, classes);
  LabelledFeatures items{.features = Array<float>::fromVector({n + m, classes}, values),
                         .labels = {}};
  items.labels.assign(static_cast<std::size_t>(n), 0);
  items.labels.resize(static_cast<std::size_t>(n + m), 1);
  // The prior of the log odds is that of the difference of two rows, each of which has half of its
  // variance: precision 2 per row is precision 1 of the logistic regression.
  const auto fitted = fitSoftmaxRegression(
      items, {}, {.classes = 2, .l2 = 2.0 * kRatioPriorPrecision / static_cast<double>(n + m)},
      context);
  if (!fitted) {
    return failWith(fitted);
  }
  ShiftWeights weights;
  const double sizes = static_cast<double>(n) / static_cast<double>(m);
  for (std::int64_t i = 0; i < n + m; ++i) {
    double log_odds = fitted->head.bias[1] - fitted->head.bias[0];
    for (std::int64_t k = 0; k < classes; ++k) {
      const double weight = fitted->head.weight.data()[classes + k] - fitted->head.weight.data()[k];
      log_odds += weight * double{values[static_cast<std::size_t>(i * classes + k)]};
    }
    constexpr double kLargest = 30.0;
    const double ratio = sizes * std::exp(std::clamp(log_odds, -kLargest, kLargest));
    (i < n ? weights.source : weights.target).push_back(ratio);
  }
  return weights;
}

}  // namespace dubito
