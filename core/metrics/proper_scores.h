// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "core/base/array.h"

namespace dubito {

// Scores of N predictions over K classes (theory, section 3). Sums are compensated
// (CompensatedSum).

/// -mean log p[label], in nats, with p clamped from below at `smallest`, by default the smallest
/// normal number of the stored type. Items with a negative label are left out; NaN if no item is
/// left. Throws std::invalid_argument for mismatched shapes or a label >= K.
[[nodiscard]] double negativeLogLikelihood(const Array<float>& probs,
                                           std::span<const std::int64_t> labels,
                                           double smallest = double{
                                               std::numeric_limits<float>::min()});
[[nodiscard]] double negativeLogLikelihood(const Array<double>& probs,
                                           std::span<const std::int64_t> labels,
                                           double smallest = std::numeric_limits<double>::min());

/// MMC: mean of the confidences, each the largest probability of an item; NaN for an empty set.
[[nodiscard]] double meanConfidence(std::span<const double> confidence);

}  // namespace dubito
