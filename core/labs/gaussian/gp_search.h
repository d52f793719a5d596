// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/gaussian/evidence_search.h"
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

/// Kernel and noise of a Gaussian process as one vector of logarithms, of which some are fitted:
/// the parameters of the kernel, then the noise variance.
struct GpParameters {
  Kernel kernel;
  double noise_variance = 1.0;
  bool fits_kernel = false;
  bool fits_noise = false;

  [[nodiscard]] std::vector<double> fitted() const;
  [[nodiscard]] GpParameters withFitted(std::span<const double> point) const;
  /// Names of fitted(), for messages: "Length scale", ..., "Noise".
  [[nodiscard]] std::vector<std::string> fittedNames() const;
};

/// A search for the fitted parameters with the largest evidence of values `y`, from `start`. The
/// noise is bounded relative to the mean square of y.
[[nodiscard]] EvidenceSearchPlan gpSearchPlan(const GpParameters& start, std::span<const double> y,
                                              std::int64_t starts, std::int64_t steps,
                                              std::uint64_t seed);

/// Evidence of the points (x, y) at `point`, a value of start.fitted(), with its gradient. Errors
/// of gpEvidence().
[[nodiscard]] Expected<AscentValue> gpEvidenceAt(const GpParameters& start,
                                                 std::span<const double> point,
                                                 std::span<const double> x,
                                                 std::span<const double> y,
                                                 const RunContext& context);

/// One sentence per fitted parameter at whose bound the search ended, and one if it ended by its
/// limit of steps.
[[nodiscard]] std::vector<std::string> searchWarnings(const GpParameters& start,
                                                      const EvidenceSearch& search);

}  // namespace dubito
