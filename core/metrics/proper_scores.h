// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "core/base/array.h"

namespace dubito {

// Scores of N predictions over K classes (theory, section 3). Items with a negative label are left
// out; NaN if none is left. Sums are compensated. Throw std::invalid_argument for shapes that do
// not fit and labels >= K.

/// -mean log p[label], p clamped from below to `smallest`: the smallest normal number of the type
/// in which the probabilities were stored.
[[nodiscard]] double negativeLogLikelihood(const Array<float>& probs,
                                           std::span<const std::int64_t> labels,
                                           double smallest = double{
                                               std::numeric_limits<float>::min()});
[[nodiscard]] double negativeLogLikelihood(const Array<double>& probs,
                                           std::span<const std::int64_t> labels,
                                           double smallest = std::numeric_limits<double>::min());

/// MMC: mean of the maximum confidences of a set; NaN for none.
[[nodiscard]] double meanConfidence(std::span<const double> confidence);

}  // namespace dubito
