// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/labs/methods/regression_method.h"
#include "core/labs/network/drawn_learner.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/network_pass.h"

namespace dubito {

/// Inputs [n, inputs] and targets [n] of some items.
struct RegressionBatch {
  RegressionBatch(const RegressionProblem& problem, std::span<const std::int64_t> items);
  std::vector<double> x;
  std::vector<double> y;
};

/// Mean over a batch of (y - f)^2 / (2 noise_std^2), with its gradient [P] (overwritten).
double meanSquaredLoss(const RegressionBatch& batch, double noise_std, const NetworkShape& shape,
                       std::span<const double> parameters, std::span<double> gradient,
                       InputScales scales = {});

/// Mean over a batch of s/2 + (y - f)^2 / (2 e^s), for a network whose outputs are f and the log
/// variance s of the noise, with its gradient [P] (overwritten). A `fixed_log_variance` takes the
/// place of s.
double heteroscedasticLoss(const RegressionBatch& batch, std::optional<double> fixed_log_variance,
                           const NetworkShape& shape, std::span<const double> parameters,
                           std::span<double> gradient, InputScales scales = {});

/// Prediction of a single function, without epistemic variance.
[[nodiscard]] RegressionPrediction singlePrediction(std::vector<double> mean,
                                                    double noise_variance);

/// A learner of a curve that draws functions.
class FunctionRegressionLearner : public RegressionLearner {
 protected:
  /// Values [T, M] at `x` [M] of up to `max_draws` functions.
  [[nodiscard]] virtual Expected<Array<double>> functions(std::span<const double> x,
                                                          std::int64_t max_draws,
                                                          RunContext& context) const = 0;
};

/// Regression with networks, for learners that serve several tasks; see ClassTask.
struct RegressionTask {
  using Problem = RegressionProblem;
  using Method = RegressionMethod;
  using Learner = RegressionLearner;
  using FunctionLearner = FunctionRegressionLearner;
  using Prediction = RegressionPrediction;

  /// Draws per task of a thread: enough work to outweigh handing it over.
  static constexpr std::int64_t kDrawsPerPart = 8;

  [[nodiscard]] static NetworkShape shape(const NetworkOptions& options,
                                          const RegressionProblem& /*problem*/) {
    return options.shape(1);
  }
  /// Mean negative log likelihood of `items` without constants, with its gradient [P]
  /// (overwritten).
  static double meanLoss(const RegressionProblem& problem, std::span<const std::int64_t> items,
                         const NetworkShape& shape, std::span<const double> parameters,
                         std::span<double> gradient, InputScales scales = {}) {
    return meanSquaredLoss(RegressionBatch(problem, items), problem.noise_std, shape, parameters,
                           gradient, scales);
  }
  /// Precision of the noise that weight decay refers to.
  [[nodiscard]] static double noisePrecision(const RegressionProblem& problem) {
    return 1.0 / (problem.noise_std * problem.noise_std);
  }
  [[nodiscard]] static std::vector<std::int64_t> drawsShape(std::int64_t draws,
                                                            std::span<const double> x,
                                                            const NetworkShape& /*shape*/) {
    return {draws, std::ssize(x)};
  }
  template <class Predict>
  [[nodiscard]] static Expected<RegressionPrediction> predictInParts(std::span<const double> x,
                                                                     const NetworkShape& /*shape*/,
                                                                     RunContext& /*context*/,
                                                                     const Predict& predict) {
    return predict(x);
  }
  /// From `draws` [T, M] of functions.
  [[nodiscard]] static RegressionPrediction prediction(const RegressionProblem& problem,
                                                       Array<double> draws, bool is_one_function,
                                                       const RunContext& context);
};

}  // namespace dubito
