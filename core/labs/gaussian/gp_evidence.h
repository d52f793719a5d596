// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/gaussian/kernel.h"

namespace dubito {

/// Log evidence (log marginal likelihood) of a Gaussian process.
struct GpEvidence {
  double log_evidence = 0.0;
  /// Derivatives with respect to the logarithms of the parameters of the kernel, then of the noise
  /// variance.
  std::vector<double> gradient;
  /// Added to the diagonal of the kernel matrix to make it positive definite; usually 0.
  double jitter = 0.0;
};

/// log N(y | 0, k(x, x) + noise_variance I) and its gradient
/// (w^T dK w - tr((K + noise I)^-1 dK)) / 2 with w = (K + noise I)^-1 y. Takes O(N^3) time.
///
/// kInvalidArgument if the kernel matrix is not positive definite even with jitter; kCancelled.
[[nodiscard]] Expected<GpEvidence> gpEvidence(const Kernel& kernel, double noise_variance,
                                              std::span<const double> x, std::span<const double> y,
                                              const RunContext& context);

}  // namespace dubito
