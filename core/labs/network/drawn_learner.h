// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/network/network_pass.h"
#include "core/labs/network/network_shape.h"

namespace dubito {

/// A learner whose functions are networks: members, masks, or draws of a posterior. It predicts
/// with all of them. `LearnedTask` says what is learned: RegressionTask, ClassTask.
template <class LearnedTask>
class DrawnLearner : public LearnedTask::FunctionLearner {
 public:
  using Task = LearnedTask;
  using Problem = typename Task::Problem;
  using Prediction = typename Task::Prediction;

  [[nodiscard]] Expected<Prediction> predict(std::span<const double> inputs, std::int64_t max_draws,
                                             RunContext& context) const override {
    return Task::predictInParts(
        inputs, shape_, context, [&](std::span<const double> part) -> Expected<Prediction> {
          auto draws = this->functions(part, max_draws, context);
          if (!draws) {
            return failWith(draws);
          }
          return Task::prediction(problem_, *std::move(draws), hasOneFunction(), context);
        });
  }

 protected:
  DrawnLearner(Problem problem, NetworkShape shape)
      : problem_(std::move(problem)), shape_(std::move(shape)) {}

  /// Whether there is a single function, without epistemic uncertainty.
  [[nodiscard]] virtual bool hasOneFunction() const { return false; }

  /// What functions() returns: `draw(t, values)` fills row t, on the context's threads. kCancelled
  /// if cancelled.
  template <class Draw>
  [[nodiscard]] Expected<Array<double>> functionDraws(std::int64_t draws,
                                                      std::span<const double> inputs,
                                                      const RunContext& context,
                                                      const Draw& draw) const {
    auto result = Array<double>::zeros(Task::drawsShape(draws, inputs, shape_));
    context.parallelFor(draws, Task::kDrawsPerPart, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end && !context.cancelRequested(); ++t) {
        draw(t, result.mutableRow(t));
      }
    });
    if (context.cancelRequested()) {
      return cancelled();
    }
    return result;
  }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }

 private:
  Problem problem_;
  NetworkShape shape_;
};

/// A learner whose functions are networks with drawn parameters. `LearnedTask`: RegressionTask,
/// ClassTask.
template <class LearnedTask>
class WeightsLearner : public DrawnLearner<LearnedTask> {
 protected:
  WeightsLearner(typename LearnedTask::Problem problem, NetworkShape shape)
      : DrawnLearner<LearnedTask>(std::move(problem), std::move(shape)) {}

  /// Up to `max_draws` vectors of parameters [T, P].
  [[nodiscard]] virtual Array<double> drawnWeights(std::int64_t max_draws) const = 0;

  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    if (drawn_.done != this->done() || drawn_.max_draws != max_draws) {
      drawn_ = {this->done(), max_draws, drawnWeights(max_draws)};
    }
    const Array<double>& weights = drawn_.weights;
    return this->functionDraws(weights.extent(0), inputs, context,
                               [&](std::int64_t t, std::span<double> values) {
                                 networkOutputs(this->shape(), weights.row(t), inputs, values);
                               });
  }

 private:
  /// The draws after `done` units of work: a prediction in parts asks for them once per part.
  struct Drawn {
    std::int64_t done = -1;
    std::int64_t max_draws = 0;
    Array<double> weights = {};
  };
  mutable Drawn drawn_;
};

}  // namespace dubito
