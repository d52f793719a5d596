// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/all_finite.h"
#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/labs/methods/lab_method.h"

namespace dubito {

/// Points to learn from, in the units in which a method works (usually standardised).
struct RegressionProblem {
  std::vector<double> x;  ///< [N] in one dimension, else [N, inputs] row-major; finite
  std::vector<double> y;  ///< [N], finite
  /// Standard deviation of the noise, shared by all methods that do not learn their own; > 0.
  double noise_std = 1.0;
  /// Where inputs are to be expected if there are fewer than two; of one dimension only.
  Interval range{-1.0, 1.0};

  /// Whether options can be chosen by the evidence of the points.
  [[nodiscard]] bool hasEvidence() const { return size() > 1; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(y.size()); }
};

/// Predictive distribution of a method at M inputs. Variance of f (epistemic) and of the noise
/// (aleatoric) are always separate.
struct RegressionPrediction {
  std::vector<double> mean;                ///< [M] mean of f
  std::vector<double> epistemic_variance;  ///< [M] variance of f (population variance of draws)
  std::vector<double> noise_variance;      ///< [M] mean variance of the noise
  /// [T, M] draws f_t of whole functions, each with one set of weights or one mask. Empty for
  /// methods that give a single function. A few draws of a Gaussian method serve only as pictures;
  /// see `is_mixture`.
  Array<double> draws;
  /// [T, M] noise variance of each draw if it differs between draws; else empty.
  Array<double> noise_variance_of_draws;
  /// Whether the predictive distribution is the equal mixture of N(draws[t], noise) rather than the
  /// Gaussian N(mean, epistemic + noise).
  bool is_mixture = false;

  [[nodiscard]] bool isFinite() const {
    return allFinite(mean) && allFinite(epistemic_variance) && allFinite(noise_variance);
  }
};

/// Fills mean, epistemic_variance and noise_variance from draws [T, M] with T >= 1. The noise is
/// `noise_of_draws` [T, M], or `noise_variance` everywhere if that is empty.
[[nodiscard]] RegressionPrediction predictionOfDraws(Array<double> draws,
                                                     Array<double> noise_of_draws,
                                                     double noise_variance);

/// The two weights of a linear method, in the units of the problem: what its functions are made of.
struct WeightPlane {
  std::array<double, 2> mean{};
  std::array<double, 4> covariance{};        ///< row-major
  std::array<double, 4> prior_covariance{};  ///< likewise; the mean of the prior is 0
  Array<double> draws;                       ///< [T, 2], those of the functions drawn
};

/// Covariances of f, without the noise, between all pairs of G inputs: symmetric, in the unit of y
/// squared. That between x and x' says how much of what is learned of f(x) belongs to f(x').
struct FunctionCovariance {
  std::vector<double> x;  ///< [G] ascending
  Array<double> prior;    ///< [G, G] of the kernel: k(x, x')
  /// [G, G] given the points; empty: there are none, or the learner has not used them yet.
  Array<double> posterior;
};

/// A method of the regression laboratory at work.
class RegressionLearner : public LabLearner {
 public:
  /// Predicts at inputs `x` [M]. `max_draws` bounds the number of function draws (at least 1).
  /// kInvalidArgument, with a sentence for the user, if no prediction exists yet.
  [[nodiscard]] virtual Expected<RegressionPrediction> predict(std::span<const double> x,
                                                               std::int64_t max_draws,
                                                               RunContext& context) const = 0;
  /// Distance between inputs, in the units of the problem, at which the curve is drawn without
  /// losing its shape; nullopt: it is smooth.
  [[nodiscard]] virtual std::optional<double> plotSpacing() const { return std::nullopt; }
  /// Only of methods that are linear in two weights. `max_draws` as in predict().
  [[nodiscard]] virtual std::optional<WeightPlane> weights(std::int64_t /*max_draws*/) const {
    return std::nullopt;
  }
  /// Covariances between inputs `x`, in the units of the problem; only of methods with a covariance
  /// function. Errors as predict().
  [[nodiscard]] virtual Expected<std::optional<FunctionCovariance>> covariance(
      std::span<const double> /*x*/, const RunContext& /*context*/) const {
    return std::optional<FunctionCovariance>();
  }
};

/// A method of the regression laboratory with its options.
class RegressionMethod : public LearningMethod<RegressionProblem, RegressionLearner> {
 public:
  /// Whether it is a distribution over functions before any data: start() accepts a problem without
  /// points, and the learner then draws from the prior.
  [[nodiscard]] virtual bool hasPrior() const { return false; }
  /// Network and prior whose posterior the method draws from or approximates, as text that is equal
  /// for equal posteriors; empty: it does not aim at the posterior of a network.
  [[nodiscard]] virtual std::string posterior() const { return {}; }
};

using RegressionMethodInfo = LabMethodInfo<RegressionMethod>;

}  // namespace dubito
