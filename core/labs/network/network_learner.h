// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/labs/methods/regression_method.h"
#include "core/labs/network/network_pass.h"
#include "core/labs/network/training.h"

namespace dubito {

/// A method whose options struct has fields() and check(), and whose learner is constructed from
/// (problem, options, seed).
template <class Options, class Learner>
class NetworkMethod : public MethodWithOptions<RegressionMethod, Options> {
 public:
  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const override {
    return std::make_unique<Learner>(problem, this->options(), seed);
  }
};

/// A learner that trains one network; a unit of work is an epoch.
class NetworkLearner : public RegressionLearner {
 public:
  [[nodiscard]] std::int64_t done() const override { return training_.done(); }
  [[nodiscard]] std::int64_t total() const override { return settings_.epochs; }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override;
  [[nodiscard]] LabDiagnostics diagnostics() const override;

 protected:
  /// `start`: the parameters of the network, and after them any others that are trained.
  NetworkLearner(RegressionProblem problem, NetworkShape shape, TrainingSettings settings,
                 std::vector<double> start, std::uint64_t seed);

  /// Loss of `items`, see TrainingLoss.
  virtual double loss(std::span<const std::int64_t> items, std::uint32_t step,
                      std::span<const double> parameters, std::span<double> gradient) = 0;
  /// Called after each epoch.
  virtual void onEpoch() {}

  [[nodiscard]] const RegressionProblem& problem() const { return problem_; }
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] const Training& training() const { return training_; }
  /// Parameters of the network alone.
  [[nodiscard]] std::span<const double> networkParameters() const;

 private:
  RegressionProblem problem_;
  NetworkShape shape_;
  TrainingSettings settings_;
  std::uint64_t seed_;
  Training training_;
};

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

/// Draws [T, M] of a function at `x` [M]: `draw(t, values)` fills row t.
[[nodiscard]] Expected<Array<double>> functionDraws(
    std::int64_t draws, std::span<const double> x, RunContext& context,
    const std::function<void(std::int64_t draw, std::span<double> values)>& draw);

/// Prediction of a single function, without epistemic variance.
[[nodiscard]] RegressionPrediction singlePrediction(std::vector<double> mean,
                                                    double noise_variance);

}  // namespace dubito
