// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/network/network_shape.h"

namespace dubito {

// The evidence lower bound of a network with dropout after its hidden layer, as a function of p,
// the probability that a unit is kept (Chan 2019, section 4.2.4, with the signs and factors of the
// Gaussian densities):
//   ELBO(m, p) = E_b[log p(y | m b)] + E_b[log p(m b)] - E_b[log q(b)],
//   log p(y | W)       = -1/(2 sigma^2) sum_n (y_n - f(x_n; W))^2 + constant,
//   E_b[log p(m b)]    = -(p |m|^2 + |w|^2) / (2 s^2) + constant,
//   -E_b[log q(b)]     = -k (p log p + (1 - p) log(1 - p)),
// where m are the k output weights, each multiplied by its b ~ Bernoulli(p), and w the input
// weights, which are never dropped. The constants are left out; biases have no prior.

/// Data, network and densities of the bound.
struct RateProblem {
  std::vector<double> x;   ///< [N]
  std::vector<double> y;   ///< [N], scaled
  NetworkShape shape;      ///< one input, one hidden tanh layer, one output
  double noise_std = 1.0;  ///< sigma, of the scaled targets
  double prior_std = 1.0;  ///< s

  [[nodiscard]] std::int64_t items() const { return static_cast<std::int64_t>(x.size()); }
  /// k, the number of masked units.
  [[nodiscard]] std::int64_t units() const { return shape.hidden.front(); }
};

/// The terms of the bound, or of one draw of it.
struct ElboTerms {
  double log_likelihood = 0.0;
  double log_prior = 0.0;
  double entropy = 0.0;  ///< of q, or -log q(b)

  [[nodiscard]] double total() const { return log_likelihood + log_prior + entropy; }
};

/// What each hidden unit adds to the outputs: with a mask b, f_n = bias + sum_j b_j values[n][j].
struct UnitContributions {
  std::vector<double> values;           ///< [N, k]
  std::vector<double> squared_weights;  ///< [k], m_j^2
  double bias = 0.0;
  double input_squares = 0.0;  ///< |w|^2
};

[[nodiscard]] UnitContributions contributionsOf(const RateProblem& problem,
                                                std::span<const double> parameters);

/// The terms of one draw b [k] of the masks, with 0 and 1 as values.
[[nodiscard]] ElboTerms maskedTerms(const RateProblem& problem,
                                    const UnitContributions& contributions,
                                    std::span<const double> mask, double keep);
/// The bound itself: outputs are linear in b, so E_b (y - f)^2 = (y - E f)^2 + p (1 - p) sum_j
/// c_j^2.
[[nodiscard]] ElboTerms expectedTerms(const RateProblem& problem,
                                      const UnitContributions& contributions, double keep);
/// Its derivative with respect to p, for p in (0, 1).
[[nodiscard]] double expectedRateGradient(const RateProblem& problem,
                                          const UnitContributions& contributions, double keep);
/// Derivative of the log-likelihood of the mean network f(x; p m) with respect to p: the step of
/// coordinate ascent.
[[nodiscard]] double meanNetworkGradient(const RateProblem& problem,
                                         const UnitContributions& contributions, double keep);

/// -(p log p + (1 - p) log(1 - p)), which is 0 at 0 and 1.
[[nodiscard]] double maskEntropy(double keep);
/// -log q(b) for a mask with `kept` ones among `units`.
[[nodiscard]] double surpriseOfMask(std::int64_t kept, std::int64_t units, double keep);
/// d/dp log q(b). 0 if p is 0 or 1: then only one mask is possible and log q is 0 whatever it is,
/// so an estimator that is made of it cannot move p any more.
[[nodiscard]] double maskScore(std::int64_t kept, std::int64_t units, double keep);

}  // namespace dubito
