// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/classification/class_method.h"

namespace dubito {

/// k(x, z) = amplitude^2 exp(-|x - z|^2 / (2 length_scale^2)), for every class.
struct GpClassKernel {
  double amplitude = 1.0;     ///< > 0
  double length_scale = 1.0;  ///< > 0, in the units of the inputs
};

/// Gaussians over the latent functions of K classes at M inputs.
struct LatentGaussians {
  Array<double> mean;        ///< [M, K]
  Array<double> covariance;  ///< [M, K, K]
};

/// Gaussian process classification with K latent functions, a softmax likelihood and the Laplace
/// approximation (Rasmussen and Williams 2006, algorithms 3.3 and 3.4). Newton's method runs step
/// by step; predictions are possible at any time and belong to the posterior after convergence.
class GpClassPosterior {
 public:
  /// Largest number of points; more take minutes.
  static constexpr std::int64_t kMaxPoints = 600;

  /// Starts at f = 0. The problem has at most kMaxPoints points.
  GpClassPosterior(const ClassProblem& problem, const GpClassKernel& kernel,
                   const RunContext& context);
  ~GpClassPosterior();
  GpClassPosterior(GpClassPosterior&&) noexcept;

  /// One Newton step, shortened until the log posterior does not fall; does nothing after
  /// convergence. kInvalidArgument, with a sentence for the user, if the numbers are not finite.
  [[nodiscard]] Status step(const RunContext& context);
  [[nodiscard]] bool converged() const;
  /// Latent values f [K, N] at the points.
  [[nodiscard]] Array<double> latent() const;
  /// The log marginal likelihood by Laplace (their 3.44): -a'f/2 + y'f - sum_n log sum_c exp f_nc -
  /// log det(I + K W)/2. Their algorithm 3.3 omits sum_n log M_nn from the last term.
  [[nodiscard]] double logEvidence() const;
  /// At `inputs` [M, 2].
  [[nodiscard]] LatentGaussians predict(std::span<const double> inputs,
                                        const RunContext& context) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
