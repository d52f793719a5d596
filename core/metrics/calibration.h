// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

// Calibration of N confidences in [0, 1] against whether each prediction was right (theory, section
// 3). Nothing is dropped: confidences beyond the range count in the outer bins, so that the counts
// sum to N. Errors are NaN if N = 0. All functions throw std::invalid_argument for sizes that
// differ, a NaN confidence, or bins < 1.

/// M equal-width bins (l, r] whose edges are the doubles j/M, compared directly; the first bin is
/// closed on both sides. float32 confidences are widened first, so float32(0.2) lies above 0.2.
[[nodiscard]] ReliabilityDiagram equalWidthReliability(std::span<const double> confidence,
                                                       std::span<const std::uint8_t> correct,
                                                       std::int64_t bins);
[[nodiscard]] ReliabilityDiagram equalWidthReliability(std::span<const float> confidence,
                                                       std::span<const std::uint8_t> correct,
                                                       std::int64_t bins);

/// What equal-mass bins do with equal confidences.
enum class EqualMassTies {
  kKept,   ///< upper edges s[ceil(j n/M)-1] of the sorted confidences, duplicates merged: ties stay
           ///< together, nothing depends on the order of the items, bins may be fewer than M
  kSplit,  ///< M consecutive parts of a stable ascending sort, the first n mod M one larger
};

/// Adaptive bins of (nearly) equal counts; `low` of the first is the smallest confidence.
[[nodiscard]] ReliabilityDiagram equalMassReliability(std::span<const double> confidence,
                                                      std::span<const std::uint8_t> correct,
                                                      std::int64_t bins, EqualMassTies ties);

/// Wilson's 95 % score interval of successes/n; exactly 0 at successes = 0, exactly 1 at successes
/// = n; NaN if n = 0.
[[nodiscard]] Interval wilson95(std::int64_t successes, std::int64_t n);

}  // namespace dubito
