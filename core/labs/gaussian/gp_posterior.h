// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/gaussian/kernel.h"

namespace dubito {

/// A Gaussian over functions, at M inputs.
struct GpPrediction {
  std::vector<double> mean;      ///< [M] posterior mean of f
  std::vector<double> variance;  ///< [M] posterior variance of f, without the noise
  Array<double> draws;           ///< [T, M] functions drawn from the posterior; may be empty
};

/// Largest number of inputs at which functions are drawn: their covariance is a full matrix.
inline constexpr std::int64_t kMaxDrawInputs = 1000;

/// A Gaussian process with zero prior mean, conditioned on points. Copies share the memory.
class GpPosterior {
 public:
  /// Conditions on points (x, y) [N] with Gaussian noise of variance `noise_variance` >= 0. Without
  /// points the posterior is the prior. Takes O(N^3) time and 2 N^2 numbers of memory.
  ///
  /// kInvalidArgument if the kernel matrix is not positive definite even with jitter; kCancelled.
  [[nodiscard]] static Expected<GpPosterior> fit(Kernel kernel, double noise_variance,
                                                 std::span<const double> x,
                                                 std::span<const double> y,
                                                 const RunContext& context);

  /// Mean and variance at inputs `x` [M], and up to `draws` functions. Draw t uses the random
  /// numbers of (seed, t), one per input, so it depends on all inputs of the call. There are no
  /// draws for more than kMaxDrawInputs inputs, or if rounding errors leave their covariance
  /// indefinite. kCancelled if cancelled.
  [[nodiscard]] Expected<GpPrediction> predict(std::span<const double> x, std::int64_t draws,
                                               std::uint64_t seed, const RunContext& context) const;

  /// Covariance of f, without the noise, between all pairs of inputs `x` [M], as [M, M]: symmetric,
  /// with the variances of predict() on its diagonal. For points X with noise variance sigma^2,
  ///
  ///   cov(f(x), f(x')) = k(x, x') - k(x, X) (K(X, X) + sigma^2 I)^-1 k(X, x'),
  ///
  /// Rasmussen and Williams 2006, (2.24), with the definitions of (2.22) and (2.23); without points
  /// k(x, x'), the prior. Takes O(N^2 M + N M^2) time. kCancelled.
  [[nodiscard]] Expected<Array<double>> covariance(std::span<const double> x,
                                                   const RunContext& context) const;

  [[nodiscard]] double logEvidence() const;
  /// Added to the diagonal of the kernel matrix to make it positive definite; usually 0.
  [[nodiscard]] double jitter() const;

 private:
  struct State;
  explicit GpPosterior(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace dubito
