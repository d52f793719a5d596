// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/labs/methods/regression_method.h"
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

/// A learner whose functions are networks with one input and one output each: members, masks, or
/// draws of a posterior. It predicts with all of them.
class DrawnRegressionLearner : public RegressionLearner {
 public:
  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override;

 protected:
  DrawnRegressionLearner(RegressionProblem problem, NetworkShape shape)
      : problem_(std::move(problem)), shape_(std::move(shape)) {}

  /// Values [T, M] at `x` [M] of up to `max_draws` functions.
  [[nodiscard]] virtual Expected<Array<double>> functions(std::span<const double> x,
                                                          std::int64_t max_draws,
                                                          RunContext& context) const = 0;
  /// Whether there is a single function, without epistemic variance.
  [[nodiscard]] virtual bool hasOneFunction() const { return false; }

  /// Draws [T, M] of a function at `x` [M]: `draw(t, values)` fills row t. kCancelled if cancelled.
  [[nodiscard]] Expected<Array<double>> functionDraws(
      std::int64_t draws, std::span<const double> x, RunContext& context,
      const std::function<void(std::int64_t draw, std::span<double> values)>& draw) const;
  [[nodiscard]] const RegressionProblem& problem() const { return problem_; }
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }

 private:
  RegressionProblem problem_;
  NetworkShape shape_;
};

/// Regression with networks, for learners that serve several tasks; see ClassTask.
struct RegressionTask {
  using Problem = RegressionProblem;
  using Method = RegressionMethod;
  using Learner = RegressionLearner;
  using DrawnLearner = DrawnRegressionLearner;

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
};

}  // namespace dubito
