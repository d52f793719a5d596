// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/labs/network/drawn_learner.h"
#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/network_pass.h"
#include "core/labs/network/training.h"

namespace dubito {

/// A method whose learner is a DrawnLearner.
template <class Options, class Learner>
using NetworkMethod = LearnerMethod<typename Learner::Task::Method, Options, Learner>;

/// LabMethodInfo::make of a NetworkMethod with these options.
template <class Options, class Learner>
[[nodiscard]] std::unique_ptr<typename Learner::Task::Method> makeNetworkMethod(Options options) {
  return std::make_unique<NetworkMethod<Options, Learner>>(std::move(options));
}
template <class Options, class Learner>
[[nodiscard]] std::unique_ptr<typename Learner::Task::Method> makeNetworkMethod() {
  return std::make_unique<NetworkMethod<Options, Learner>>();
}

/// Trains networks of one kind, each from a starting point and minibatches of its own; a unit of
/// work is an epoch of all members. `LearnedTask` says what is learned: RegressionTask, ClassTask.
template <class LearnedTask>
class NetworkLearner : public DrawnLearner<LearnedTask> {
 public:
  using Task = LearnedTask;
  using Problem = typename Task::Problem;

  [[nodiscard]] std::int64_t done() const override { return members_.front().done(); }
  [[nodiscard]] std::int64_t total() const override { return settings_.epochs; }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    const TrainingLoss loss_of_items =
        [this](std::span<const std::int64_t> items, std::uint32_t step,
               std::span<const double> parameters,
               std::span<double> gradient) { return loss(items, step, parameters, gradient); };
    return advanceTrainings(
        members_, units, total(), loss_of_items, [this] { onEpoch(); }, context);
  }
  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result;
    addTrainingLosses(members_, result);
    return result;
  }

 protected:
  /// `members` networks of the shape that `options` describe.
  NetworkLearner(Problem problem, const NetworkOptions& options, std::int64_t members,
                 std::uint64_t seed)
      : NetworkLearner(problem, Task::shape(options, problem), options.training(), seed) {
    for (std::int64_t m = 0; m < members; ++m) {
      const auto stream = static_cast<std::uint64_t>(m);
      members_.emplace_back(initialParameters(this->shape(), seed, stream), this->problem().size(),
                            settings_, seed, stream);
    }
  }
  /// One network; `start`: its parameters, and after them any others that are trained.
  NetworkLearner(Problem problem, NetworkShape shape, const TrainingSettings& settings,
                 std::vector<double> start, std::uint64_t seed)
      : NetworkLearner(std::move(problem), std::move(shape), settings, seed) {
    members_.emplace_back(std::move(start), this->problem().size(), settings_, seed, 0);
  }

  /// Loss of `items`, see TrainingLoss; called for several members at once.
  virtual double loss(std::span<const std::int64_t> items, std::uint32_t step,
                      std::span<const double> parameters, std::span<double> gradient) = 0;
  /// Called after each epoch of a single network.
  virtual void onEpoch() {}

  /// The functions of the members.
  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    return this->functionDraws(std::clamp<std::int64_t>(max_draws, 1, std::ssize(members_)), inputs,
                               context, [&](std::int64_t t, std::span<double> values) {
                                 networkOutputs(this->shape(), parametersOf(t), inputs, values);
                               });
  }
  [[nodiscard]] bool hasOneFunction() const override { return members_.size() == 1; }

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// The training of the first member.
  [[nodiscard]] const Training& training() const { return members_.front(); }
  /// Parameters of the network of a member, without others that are trained.
  [[nodiscard]] std::span<const double> parametersOf(std::int64_t member) const {
    return std::span(members_[static_cast<std::size_t>(member)].parameters())
        .first(static_cast<std::size_t>(this->shape().parameterCount()));
  }
  [[nodiscard]] std::span<const double> networkParameters() const { return parametersOf(0); }

 private:
  NetworkLearner(Problem problem, NetworkShape shape, const TrainingSettings& settings,
                 std::uint64_t seed)
      : DrawnLearner<Task>(std::move(problem), std::move(shape)),
        settings_(settings),
        seed_(seed) {}

  TrainingSettings settings_;
  std::uint64_t seed_;
  std::vector<Training> members_;
};

/// Options of MC dropout with a given drop rate.
struct DropoutLearnerOptions {
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
  DropoutLearner(const typename LearnedTask::Problem& problem, const DropoutLearnerOptions& options,
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
  DropoutLearnerOptions options_;
  DropoutMasks masks_;
};

}  // namespace dubito
