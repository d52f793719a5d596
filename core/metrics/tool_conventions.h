// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/metrics/ranking.h"

namespace dubito {

// Metrics as other tools compute them, to explain why their numbers differ. Sums are computed in
// double, even if the tool sums in the type of its input.

/// Calibration errors, in [0, 1], computed from the gaps between accuracy and confidence in bins.
struct CalibrationErrors {
  double l1 = 0.0;
  double l2 = 0.0;  ///< root mean square, weighted by the bin counts
  double max = 0.0;
};

/// torchmetrics 1.9: bins [l, r) with the edges of torch.linspace in the stored type of the
/// confidences; 1.0 has a separate bin. NaN if there are no items.
[[nodiscard]] CalibrationErrors torchmetricsCalibration(std::span<const double> confidence,
                                                        std::span<const std::uint8_t> correct,
                                                        std::int64_t bins, bool is_float32);
/// netcal 1.4: L1 error over bins [l, r) with the edges of numpy.linspace; the last bin is closed.
[[nodiscard]] double netcalCalibration(std::span<const double> confidence,
                                       std::span<const std::uint8_t> correct, std::int64_t bins);
/// laplace-redux: L1 error over 100 bins [l, r) without the last bin, weighted by the share of the
/// remaining items. NaN if every confidence is at least 0.99.
[[nodiscard]] double laplaceReduxCalibration(std::span<const double> confidence,
                                             std::span<const std::uint8_t> correct);

/// Area under straight lines between the precision-recall points, starting at (0, 1); an optimistic
/// estimate. NaN if there are no positives.
[[nodiscard]] double trapezoidalPrecisionRecall(const ThresholdTable& table);

/// -mean log p[label], with p clipped to [smallest, 1 - smallest] in the type of `probs`. If
/// `smallest` is 0, p is not clipped, and the result is infinite if a true class has probability 0.
[[nodiscard]] double clippedNegativeLogLikelihood(const Array<float>& probs,
                                                  std::span<const std::int64_t> labels,
                                                  double smallest);
[[nodiscard]] double clippedNegativeLogLikelihood(const Array<double>& probs,
                                                  std::span<const std::int64_t> labels,
                                                  double smallest);

}  // namespace dubito
