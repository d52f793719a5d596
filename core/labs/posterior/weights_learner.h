// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/labs/network/network_pass.h"

namespace dubito {

/// A learner whose functions are networks with drawn parameters. `LearnedTask`: RegressionTask,
/// ClassTask.
template <class LearnedTask>
class WeightsLearner : public LearnedTask::DrawnLearner {
 protected:
  WeightsLearner(typename LearnedTask::Problem problem, NetworkShape shape)
      : LearnedTask::DrawnLearner(std::move(problem), std::move(shape)) {}

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
