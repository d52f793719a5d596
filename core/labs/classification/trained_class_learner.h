// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/labs/classification/class_network.h"
#include "core/labs/network/training.h"

namespace dubito {

/// A method whose options struct has fields() and check(), and whose learner is constructed from
/// (problem, options, seed).
template <class Options, class Learner>
class TrainedClassMethod : public MethodWithOptions<ClassMethod, Options> {
 public:
  [[nodiscard]] Expected<std::unique_ptr<ClassLearner>> start(const ClassProblem& problem,
                                                              std::uint64_t seed) const override {
    return std::make_unique<Learner>(problem, this->options(), seed);
  }
};

/// Trains networks of one kind, each from a starting point and minibatches of its own; a unit of
/// work is an epoch of all members.
class TrainedClassLearner : public ClassLearner {
 public:
  [[nodiscard]] std::int64_t done() const override { return members_.front().done(); }
  [[nodiscard]] std::int64_t total() const override { return settings_.epochs; }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override;
  /// The functions of all members.
  [[nodiscard]] Expected<ClassPrediction> predict(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override;
  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override;
  [[nodiscard]] LabDiagnostics diagnostics() const override;

 protected:
  TrainedClassLearner(ClassProblem problem, const NetworkOptions& network, std::int64_t members,
                      std::uint64_t seed);

  /// Loss of `items`, see TrainingLoss; called for several members at once.
  virtual double loss(std::span<const std::int64_t> items, std::uint32_t step,
                      std::span<const double> parameters, std::span<double> gradient) const = 0;

  [[nodiscard]] const ClassProblem& problem() const { return problem_; }
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] std::span<const double> parametersOf(std::int64_t member) const {
    return members_[static_cast<std::size_t>(member)].parameters();
  }
  /// Logits [M, K] of a member at `inputs` [M, 2].
  [[nodiscard]] Array<double> logitsOf(std::int64_t member, std::span<const double> inputs) const;

 private:
  ClassProblem problem_;
  NetworkShape shape_;
  TrainingSettings settings_;
  std::uint64_t seed_;
  std::vector<Training> members_;
};

}  // namespace dubito
