// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "core/base/array.h"

namespace dubito {

// Scores of N predictions over K classes (theory, section 3). Items with a negative label are left
// out; NaN where none is left. Sums are compensated. Throw std::invalid_argument for shapes that
// do not fit and labels >= K.

/// Share of predictions that equal the label, in [0, 1].
[[nodiscard]] double accuracyOf(std::span<const std::int64_t> predictions,
                                std::span<const std::int64_t> labels);

/// -mean log p[label], p clamped from below to `smallest`: the smallest normal number of the type
/// in which the probabilities were stored.
[[nodiscard]] double negativeLogLikelihood(const Array<float>& probs,
                                           std::span<const std::int64_t> labels,
                                           double smallest = double{
                                               std::numeric_limits<float>::min()});
[[nodiscard]] double negativeLogLikelihood(const Array<double>& probs,
                                           std::span<const std::int64_t> labels,
                                           double smallest = std::numeric_limits<double>::min());

/// -mean logSoftmax(logits)[label], without a clamp.
[[nodiscard]] double negativeLogLikelihoodFromLogits(const Array<float>& logits,
                                                     std::span<const std::int64_t> labels);
[[nodiscard]] double negativeLogLikelihoodFromLogits(const Array<double>& logits,
                                                     std::span<const std::int64_t> labels);

/// mean_i sum_c (p_ic - [c = label_i])^2, in [0, 2]; lower is better.
[[nodiscard]] double brierScore(const Array<float>& probs, std::span<const std::int64_t> labels);
[[nodiscard]] double brierScore(const Array<double>& probs, std::span<const std::int64_t> labels);

/// MMC: mean of the maximum confidences of a set; NaN for none.
[[nodiscard]] double meanConfidence(std::span<const double> confidence);

}  // namespace dubito
