// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/network_learner.h"

namespace dubito {

/// Options of MC dropout with a given drop rate.
struct DropoutOptions {
  NetworkOptions network;
  double drop_rate = 0.1;
  double length_scale = 0.3;
  std::int64_t draws = 100;

  [[nodiscard]] std::vector<Field> fields() {
    return joinFields({dropRateField(drop_rate), lengthScaleField(length_scale), drawsField(draws)},
                      network.fields());
  }
};

/// Trains one network with dropout, and predicts with a mask on its hidden units per function.
template <class LearnedTask>
class DropoutLearner : public NetworkLearner<LearnedTask> {
 public:
  DropoutLearner(const typename LearnedTask::Problem& problem, const DropoutOptions& options,
                 std::uint64_t seed)
      : NetworkLearner<LearnedTask>(problem, options.network, 1, seed),
        options_(options),
        masks_(this->shape(), seed) {}

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result = NetworkLearner<LearnedTask>::diagnostics();
    if (options_.drop_rate == 0.0) {
      result.warnings.emplace_back("The drop rate is 0, so all functions drawn are the same");
    }
    return result;
  }

 protected:
  double loss(std::span<const std::int64_t> items, std::uint32_t step,
              std::span<const double> parameters, std::span<double> gradient) override {
    const InputScales scales = masks_.ofStep(options_.drop_rate, step, std::ssize(items));
    double loss =
        LearnedTask::meanLoss(this->problem(), items, this->shape(), parameters, gradient, scales);
    addDropoutDecay(this->shape(), options_.drop_rate, options_.length_scale,
                    static_cast<double>(this->problem().size()),
                    LearnedTask::noisePrecision(this->problem()), parameters, gradient, loss);
    return loss;
  }
  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    return this->functionDraws(
        std::clamp<std::int64_t>(max_draws, 1, options_.draws), inputs, context,
        [&](std::int64_t t, std::span<double> values) {
          DropoutMasks masks(this->shape(), this->seed());
          networkOutputs(this->shape(), this->networkParameters(), inputs, values,
                         masks.ofFunction(options_.drop_rate, static_cast<std::uint32_t>(t)));
        });
  }
  [[nodiscard]] bool hasOneFunction() const override { return false; }

 private:
  DropoutOptions options_;
  DropoutMasks masks_;
};

}  // namespace dubito
