// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/trained_class_learner.h"

#include <algorithm>
#include <utility>

#include "core/labs/classification/class_prediction.h"

namespace dubito {

TrainedClassLearner::TrainedClassLearner(ClassProblem problem, const NetworkOptions& network,
                                         std::int64_t members, std::uint64_t seed)
    : problem_(std::move(problem)),
      shape_(classNetworkShape(network, problem_.class_count)),
      settings_(network.training()),
      seed_(seed) {
  for (std::int64_t m = 0; m < members; ++m) {
    const auto stream = static_cast<std::uint64_t>(m);
    members_.emplace_back(initialParameters(shape_, seed, stream), problem_.size(), settings_, seed,
                          stream);
  }
}

Status TrainedClassLearner::advance(std::int64_t units, RunContext& context) {
  const auto loss_of_member = [this](std::int64_t /*member*/) -> TrainingLoss {
    return [this](std::span<const std::int64_t> items, std::uint32_t step,
                  std::span<const double> parameters,
                  std::span<double> gradient) { return loss(items, step, parameters, gradient); };
  };
  return advanceTrainings(members_, units, total(), loss_of_member, context);
}

Array<double> TrainedClassLearner::logitsOf(std::int64_t member,
                                            std::span<const double> inputs) const {
  auto logits = Array<double>::zeros({std::ssize(inputs) / 2, shape_.outputs});
  networkOutputs(shape_, parametersOf(member), inputs, logits.mutableValues());
  return logits;
}

Expected<ClassPrediction> TrainedClassLearner::predict(std::span<const double> inputs,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const {
  return predictInParts(inputs, shape_.outputs, context,
                        [&](std::span<const double> part) -> Expected<ClassPrediction> {
                          if (members_.size() == 1) {
                            return predictionOfLogits(logitsOf(0, part));
                          }
                          const auto logits = functions(part, max_draws, context);
                          return logits ? predictionOfFunctions(*logits, context)
                                        : Expected<ClassPrediction>(failWith(logits));
                        });
}

Expected<Array<double>> TrainedClassLearner::functions(std::span<const double> inputs,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const {
  return logitsOfDraws(
      std::clamp<std::int64_t>(max_draws, 1, std::ssize(members_)), inputs, shape_.outputs, context,
      [this](std::int64_t t, std::span<const double> part, std::span<double> logits) {
        networkOutputs(shape_, parametersOf(t), part, logits);
      });
}

LabDiagnostics TrainedClassLearner::diagnostics() const {
  LabDiagnostics result;
  addTrainingLosses(members_, result);
  return result;
}

}  // namespace dubito
