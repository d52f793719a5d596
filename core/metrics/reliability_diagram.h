// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

// Calibration of N confidences in [0, 1] against the correctness of the predictions (theory,
// section 3). Confidences outside [0, 1] count in the first or the last bin, so the counts sum to
// N. Errors are NaN if N = 0. All functions throw std::invalid_argument if the sizes differ, a
// confidence is NaN, or bins < 1.

/// M equal-width bins (l, r] with the doubles j/M as edges; the first bin is closed on both sides.
/// float confidences are converted to double before comparison, so float(0.2) is above 0.2.
[[nodiscard]] ReliabilityDiagram equalWidthReliability(std::span<const double> confidence,
                                                       std::span<const std::uint8_t> correct,
                                                       std::int64_t bins);
[[nodiscard]] ReliabilityDiagram equalWidthReliability(std::span<const float> confidence,
                                                       std::span<const std::uint8_t> correct,
                                                       std::int64_t bins);

/// Treatment of equal confidences in equal-mass bins.
enum class EqualMassTies {
  kKept,   ///< upper edges s[ceil(j N/M)-1], where s are the sorted confidences; duplicate edges
           ///< are merged, so ties stay together, the order of the items does not matter, and
           ///< there may be fewer than M bins
  kSplit,  ///< M consecutive parts of a stable ascending sort; the first N mod M parts have one
           ///< more
};

/// Adaptive bins of (nearly) equal counts; `low` of the first bin is the smallest confidence.
[[nodiscard]] ReliabilityDiagram equalMassReliability(std::span<const double> confidence,
                                                      std::span<const std::uint8_t> correct,
                                                      std::int64_t bins, EqualMassTies ties);

/// The accuracy of every bin with items over its mean confidence, without a name; its summary is
/// the expected calibration error.
[[nodiscard]] Curve reliabilityCurve(const ReliabilityDiagram& diagram);

}  // namespace dubito
