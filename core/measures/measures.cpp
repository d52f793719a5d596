// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace dubito {
namespace {

template <class T>
void requireClasses(std::span<const T> row) {
  if (row.empty()) {
    throw std::invalid_argument("a row over classes must not be empty");
  }
}

template <class T>
std::int64_t argmaxOf(std::span<const T> row) {
  requireClasses(row);
  return std::max_element(row.begin(), row.end()) - row.begin();
}

template <class T>
double largestOf(std::span<const T> row) {
  requireClasses(row);
  return double{*std::max_element(row.begin(), row.end())};
}

template <class T>
double marginOfRow(std::span<const T> probs) {
  requireClasses(probs);
  if (probs.size() == 1) {
    return double{probs[0]};
  }
  const auto best = static_cast<std::size_t>(argmaxOf(probs));
  double second = -1.0;
  for (std::size_t k = 0; k < probs.size(); ++k) {
    if (k != best) {
      second = std::max(second, double{probs[k]});
    }
  }
  return double{probs[best]} - second;
}

/// log sum exp in two parts: subtracting them one after the other is accurate for large logits.
struct Normaliser {
  double top = 0.0;
  double log_sum = 0.0;  ///< log sum exp(logit - top), in [0, log K]
};

template <class T>
Normaliser normaliserOf(std::span<const T> logits) {
  requireClasses(logits);
  std::vector<double> sorted(logits.begin(), logits.end());
  std::sort(sorted.begin(), sorted.end());
  const double top = sorted.back();
  if (std::isinf(top)) {
    return {top, 0.0};
  }
  double sum = 0.0;
  for (const double logit : sorted) {
    sum += std::exp(logit - top);
  }
  return {top, std::log(sum)};
}

template <class T>
double logSumExpOf(std::span<const T> logits) {
  const Normaliser normaliser = normaliserOf(logits);
  return normaliser.top + normaliser.log_sum;
}

template <class T>
std::vector<double> logSoftmaxOf(std::span<const T> logits) {
  const Normaliser normaliser = normaliserOf(logits);
  std::vector<double> result(logits.begin(), logits.end());
  for (double& value : result) {
    value = (value - normaliser.top) - normaliser.log_sum;
  }
  return result;
}

template <class T>
double logRestOfRow(std::span<const T> probs, std::int64_t k) {
  requireClasses(probs);
  double rest = 0.0;
  for (std::size_t j = 0; j < probs.size(); ++j) {
    rest += static_cast<std::int64_t>(j) == k ? 0.0 : double{probs[j]};
  }
  return std::log(rest);
}

template <class T>
double logRestOfLogitRow(std::span<const T> logits, std::int64_t k) {
  requireClasses(logits);
  std::vector<double> others(logits.begin(), logits.end());
  others.erase(others.begin() + k);
  if (others.empty()) {
    return -std::numeric_limits<double>::infinity();
  }
  const Normaliser rest = normaliserOf(std::span<const double>(others));
  // log(1 / (1 + e^gap)) with e^gap = p_k / (1 - p_k), without overflow on either side.
  const double gap = (double{logits[static_cast<std::size_t>(k)]} - rest.top) - rest.log_sum;
  return gap > 0.0 ? -gap - std::log1p(std::exp(-gap)) : -std::log1p(std::exp(gap));
}

template <class T>
LogitMeasures measuresOfLogitRow(std::span<const T> logits) {
  LogitMeasures measures{argmaxOf(logits)};
  // Minus infinity (a masked class) is probability 0 and adds nothing.
  constexpr T kMasked = -std::numeric_limits<T>::infinity();
  const bool all_valid =
      std::ranges::all_of(logits, [](T logit) { return std::isfinite(logit) || logit == kMasked; });
  if (!all_valid || logits[static_cast<std::size_t>(measures.prediction)] == kMasked) {
    measures.log_rest = measures.entropy = std::numeric_limits<double>::quiet_NaN();
    return measures;
  }
  std::vector<double> sorted(logits.begin(), logits.end());
  std::sort(sorted.begin(), sorted.end());
  const double top = sorted.back();
  sorted.pop_back();
  double rest = 0.0;
  double weighted = 0.0;
  for (const double logit : sorted) {
    if (std::isinf(logit)) {
      continue;
    }
    const double power = std::exp(logit - top);
    rest += power;
    weighted += power * (logit - top);
  }
  // Exponentials near the end of their range are inaccurate.
  constexpr double kMinRest = 1e-280;
  measures.log_rest = rest > kMinRest ? std::log(rest) - std::log1p(rest)
                                      : logRestOfLogitRow(logits, measures.prediction);
  measures.entropy = std::clamp(std::log1p(rest) - weighted / (1.0 + rest), 0.0,
                                std::log(static_cast<double>(logits.size())));
  return measures;
}

template <class T>
std::vector<double> softmaxOf(std::span<const T> logits) {
  std::vector<double> result = logSoftmaxOf(logits);
  for (double& value : result) {
    value = std::exp(value);
  }
  return result;
}

}  // namespace

std::int64_t argmax(std::span<const double> row) {
  return argmaxOf(row);
}
std::int64_t argmax(std::span<const float> row) {
  return argmaxOf(row);
}

double confidenceOf(std::span<const double> probs) {
  return largestOf(probs);
}
double confidenceOf(std::span<const float> probs) {
  return largestOf(probs);
}

double marginOf(std::span<const double> probs) {
  return marginOfRow(probs);
}
double marginOf(std::span<const float> probs) {
  return marginOfRow(probs);
}

std::vector<double> sumsOfOthers(std::span<const double> values) {
  const std::size_t count = values.size();
  std::vector<double> sums(count, 0.0);
  double before = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    sums[k] = before;
    before += values[k];
  }
  double after = 0.0;
  for (std::size_t k = count; k-- > 0;) {
    sums[k] += after;
    after += values[k];
  }
  return sums;
}

double logSumExp(std::span<const double> logits) {
  return logSumExpOf(logits);
}
double logSumExp(std::span<const float> logits) {
  return logSumExpOf(logits);
}

std::vector<double> logSoftmax(std::span<const double> logits) {
  return logSoftmaxOf(logits);
}
std::vector<double> logSoftmax(std::span<const float> logits) {
  return logSoftmaxOf(logits);
}

std::vector<double> softmax(std::span<const double> logits) {
  return softmaxOf(logits);
}
std::vector<double> softmax(std::span<const float> logits) {
  return softmaxOf(logits);
}

double logRest(std::span<const double> probs, std::int64_t k) {
  return logRestOfRow(probs, k);
}
double logRest(std::span<const float> probs, std::int64_t k) {
  return logRestOfRow(probs, k);
}

double logRestOfLogits(std::span<const double> logits, std::int64_t k) {
  return logRestOfLogitRow(logits, k);
}
double logRestOfLogits(std::span<const float> logits, std::int64_t k) {
  return logRestOfLogitRow(logits, k);
}

LogitMeasures measuresOfLogits(std::span<const double> logits) {
  return measuresOfLogitRow(logits);
}
LogitMeasures measuresOfLogits(std::span<const float> logits) {
  return measuresOfLogitRow(logits);
}

}  // namespace dubito
