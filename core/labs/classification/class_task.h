// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "core/labs/classification/class_network.h"

namespace dubito {

/// A learner whose functions are networks with two inputs and K logits each: members, masks, or
/// draws of a posterior. It predicts with all of them.
class DrawnClassLearner : public ClassLearner {
 public:
  [[nodiscard]] Expected<ClassPrediction> predict(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override;

 protected:
  DrawnClassLearner(ClassProblem problem, NetworkShape shape)
      : problem_(std::move(problem)), shape_(std::move(shape)) {}

  /// Whether there is a single function: no split into aleatoric and epistemic.
  [[nodiscard]] virtual bool hasOneFunction() const { return false; }

  /// Logits [T, M, K] of functions at `inputs` [M, 2]: `draw(t, logits)` fills row t. kCancelled if
  /// cancelled.
  [[nodiscard]] Expected<Array<double>> functionDraws(
      std::int64_t draws, std::span<const double> inputs, RunContext& context,
      const std::function<void(std::int64_t draw, std::span<double> logits)>& draw) const;
  [[nodiscard]] const ClassProblem& problem() const { return problem_; }
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }

 private:
  ClassProblem problem_;
  NetworkShape shape_;
};

/// Classification with networks, for learners that serve several tasks; see RegressionTask.
struct ClassTask {
  using Problem = ClassProblem;
  using Method = ClassMethod;
  using Learner = ClassLearner;
  using DrawnLearner = DrawnClassLearner;

  [[nodiscard]] static NetworkShape shape(const NetworkOptions& options,
                                          const ClassProblem& problem) {
    return classNetworkShape(options, problem.class_count);
  }
  /// Mean negative log likelihood of `items`, with its gradient [P] (overwritten).
  static double meanLoss(const ClassProblem& problem, std::span<const std::int64_t> items,
                         const NetworkShape& shape, std::span<const double> parameters,
                         std::span<double> gradient, InputScales scales = {}) {
    return classLogLikelihood(problem, items, shape, parameters,
                              -1.0 / static_cast<double>(items.size()), gradient, scales);
  }
  /// Precision of the noise that weight decay refers to: that of a mean negative log likelihood.
  [[nodiscard]] static double noisePrecision(const ClassProblem& /*problem*/) { return 1.0; }
};

}  // namespace dubito
