// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Log evidence of Bayesian linear regression.
struct LinearEvidence {
  double log_evidence = 0.0;
  double gradient_log_prior_std = 0.0;
  double gradient_log_noise_std = 0.0;
  /// Number of weights that the data determine (MacKay's gamma), in [0, D].
  double effective_weights = 0.0;
};

/// Mean [M] and variance [M] of a function that is linear in Gaussian weights.
struct LinearPrediction {
  std::vector<double> mean;
  std::vector<double> variance;  ///< phi^T Sigma' phi, without the noise
};

/// Mean [D] and covariance [D, D] of Gaussian weights.
struct LinearWeights {
  std::vector<double> mean;
  Array<double> covariance;
};

/// Bayesian linear regression y = Phi w + noise with weights N(0, prior_std^2) (theory, section 9):
/// Sigma' = (Phi^T Phi / noise^2 + I / prior^2)^-1, mu' = Sigma' Phi^T y / noise^2. The features
/// are decomposed once, after which every prior and noise is cheap. Copies share the memory.
class LinearRegression {
 public:
  /// Decomposes `features` [N, D] in O((N + D) D^2). Throws std::invalid_argument if `y` does not
  /// have N elements or D is 0. kInvalidArgument if features or y are not finite.
  [[nodiscard]] static Expected<LinearRegression> decompose(const Array<double>& features,
                                                            std::span<const double> y);

  /// Number of weights, D.
  [[nodiscard]] std::int64_t weightCount() const;
  /// log N(y | 0, prior_std^2 Phi Phi^T + noise_std^2 I) and its derivatives.
  [[nodiscard]] LinearEvidence evidence(double prior_std, double noise_std) const;
  /// Posterior mean and variance at inputs with `features` [M, D].
  [[nodiscard]] LinearPrediction predict(const Array<double>& features, double prior_std,
                                         double noise_std) const;
  /// Of the posterior.
  [[nodiscard]] LinearWeights weights(double prior_std, double noise_std) const;
  /// `count` vectors of weights drawn from the posterior: [count, D].
  [[nodiscard]] Array<double> drawWeights(double prior_std, double noise_std, std::int64_t count,
                                          std::uint64_t seed) const;
  /// `count` functions drawn from the posterior, at inputs with `features` [M, D]: [count, M]. Draw
  /// t has one vector of weights, that of drawWeights(), for any inputs.
  [[nodiscard]] Array<double> drawFunctions(const Array<double>& features, double prior_std,
                                            double noise_std, std::int64_t count,
                                            std::uint64_t seed) const;

 private:
  struct State;
  explicit LinearRegression(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// Features phi(x) of one-dimensional inputs, scaled to a range of inputs. The first is 1.
class FeatureBasis {
 public:
  enum class Kind {
    kPowers,      ///< x^0, ..., x^size: unscaled
    kPolynomial,  ///< Legendre polynomials sqrt(2 k + 1) P_k(u), k = 0 ... size, u in [-1, 1]
    kRadial,      ///< 1, and exp(-(x - c)^2 / (2 w^2)) at `size` even centres c, w their spacing
    kFourier,     ///< 1, and cos, sin of 2 pi k (x - low) / period, k = 1 ... size; the period is
                  ///< twice the range, so that both ends are independent
  };

  /// `size` >= 1. `range` is that of the training inputs; an empty range counts as one of width 1.
  FeatureBasis(Kind kind, std::int64_t size, Interval range);

  [[nodiscard]] std::int64_t count() const;
  /// phi(x) as [size of x, count()].
  [[nodiscard]] Array<double> features(std::span<const double> x) const;

 private:
  void write(double x, std::span<double> values) const;

  Kind kind_;
  std::int64_t size_;
  Interval range_;
};

/// "powers", "polynomial", "radial" or "fourier"; throws std::invalid_argument for anything else.
[[nodiscard]] FeatureBasis::Kind parseBasis(const std::string& name);

}  // namespace dubito
