// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/labs/network/network_options.h"
#include "core/labs/network/network_pass.h"
#include "core/labs/network/training.h"

namespace dubito {

/// A method whose learner is constructed from (problem, options, seed).
template <class Options, class Learner>
class NetworkMethod : public MethodWithOptions<typename Learner::Task::Method, Options> {
 public:
  using MethodWithOptions<typename Learner::Task::Method, Options>::MethodWithOptions;
  [[nodiscard]] Expected<std::unique_ptr<typename Learner::Task::Learner>> start(
      const typename Learner::Task::Problem& problem, std::uint64_t seed) const override {
    return std::make_unique<Learner>(problem, this->options(), seed);
  }
};

/// LabMethodInfo::make of a NetworkMethod with default options.
template <class Options, class Learner>
[[nodiscard]] std::unique_ptr<typename Learner::Task::Method> makeNetworkMethod() {
  return std::make_unique<NetworkMethod<Options, Learner>>();
}

/// Trains networks of one kind, each from a starting point and minibatches of its own; a unit of
/// work is an epoch of all members. `LearnedTask` says what is learned: RegressionTask, ClassTask.
template <class LearnedTask>
class NetworkLearner : public LearnedTask::DrawnLearner {
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
      : Task::DrawnLearner(std::move(problem), std::move(shape)),
        settings_(settings),
        seed_(seed) {}

  TrainingSettings settings_;
  std::uint64_t seed_;
  std::vector<Training> members_;
};

}  // namespace dubito
