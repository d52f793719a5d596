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
    const Array<double> weights = drawnWeights(max_draws);
    return this->functionDraws(weights.extent(0), inputs, context,
                               [&](std::int64_t t, std::span<double> values) {
                                 networkOutputs(this->shape(), weights.row(t), inputs, values);
                               });
  }
};

}  // namespace dubito
