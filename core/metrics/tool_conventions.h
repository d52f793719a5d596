// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/metrics/ranking.h"

namespace dubito {

// Metrics as other tools compute them, to explain why their numbers differ. Sums are in double,
// even if a tool sums in the type of its input.

/// Gaps between accuracy and confidence over bins, in [0, 1].
struct CalibrationErrors {
  double l1 = 0.0;
  double l2 = 0.0;  ///< root of the weighted mean square
  double max = 0.0;
};

/// torchmetrics 1.9: bins [l, r) with the edges of torch.linspace in the stored type of the
/// confidences; 1.0 has a separate bin. NaN without items.
[[nodiscard]] CalibrationErrors torchmetricsCalibration(std::span<const double> confidence,
                                                        std::span<const std::uint8_t> correct,
                                                        std::int64_t bins, bool is_float32);
/// netcal 1.4: bins [l, r) with the edges of numpy.linspace, the last bin closed.
[[nodiscard]] double netcalCalibration(std::span<const double> confidence,
                                       std::span<const std::uint8_t> correct, std::int64_t bins);
/// laplace-redux: 100 bins [l, r) without the last one, weighted over the remaining items: NaN if
/// every confidence is at least 0.99.
[[nodiscard]] double laplaceReduxCalibration(std::span<const double> confidence,
                                             std::span<const std::uint8_t> correct);

/// Area under the precision-recall points joined by straight lines, starting at (0, 1): optimistic.
/// NaN without positives.
[[nodiscard]] double trapezoidalPrecisionRecall(const ThresholdTable& table);

/// -mean log of p[label] clipped to [smallest, 1 - smallest] in the type of `probs`; 0: not
/// clipped, infinite if a label has probability 0.
[[nodiscard]] double clippedNegativeLogLikelihood(const Array<float>& probs,
                                                  std::span<const std::int64_t> labels,
                                                  double smallest);
[[nodiscard]] double clippedNegativeLogLikelihood(const Array<double>& probs,
                                                  std::span<const std::int64_t> labels,
                                                  double smallest);

}  // namespace dubito
