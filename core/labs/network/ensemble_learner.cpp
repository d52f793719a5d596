// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/ensemble_learner.h"

#include <algorithm>

namespace dubito {

double posteriorLoss(const RegressionProblem& problem, std::span<const std::int64_t> items,
                     const NetworkShape& shape, double precision,
                     std::span<const double> parameters, std::span<double> gradient) {
  double loss = meanSquaredLoss(RegressionBatch(problem, items), problem.noise_std, shape,
                                parameters, gradient);
  const double scale = precision / static_cast<double>(problem.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    loss += 0.5 * scale * parameters[i] * parameters[i];
    gradient[i] += scale * parameters[i];
  }
  return loss;
}

EnsembleLearner::EnsembleLearner(RegressionProblem problem, NetworkShape shape,
                                 TrainingSettings settings, double precision, std::int64_t members,
                                 std::uint64_t seed)
    : problem_(std::move(problem)),
      shape_(std::move(shape)),
      settings_(settings),
      precision_(precision) {
  for (std::int64_t m = 0; m < members; ++m) {
    const auto stream = static_cast<std::uint64_t>(m);
    members_.emplace_back(initialParameters(shape_, seed, stream), problem_.size(), settings_, seed,
                          stream);
  }
}

Status EnsembleLearner::advance(std::int64_t units, RunContext& context) {
  const auto loss = [this](std::int64_t /*member*/) -> TrainingLoss {
    return [this](std::span<const std::int64_t> items, std::uint32_t /*step*/,
                  std::span<const double> parameters, std::span<double> gradient) {
      return posteriorLoss(problem_, items, shape_, precision_, parameters, gradient);
    };
  };
  return advanceTrainings(members_, units, total(), loss, context);
}

Expected<RegressionPrediction> EnsembleLearner::predict(std::span<const double> x,
                                                        std::int64_t max_draws,
                                                        RunContext& context) const {
  const double noise = problem_.noise_std * problem_.noise_std;
  if (members_.size() == 1) {
    std::vector<double> mean(x.size());
    networkOutputs(shape_, members_.front().parameters(), x, mean);
    return singlePrediction(std::move(mean), noise);
  }
  const std::int64_t count = std::min(std::ssize(members_), std::max(max_draws, std::int64_t{1}));
  auto draws = functionDraws(count, x, context, [&](std::int64_t t, std::span<double> values) {
    networkOutputs(shape_, members_[static_cast<std::size_t>(t)].parameters(), x, values);
  });
  if (!draws) {
    return failWith(draws);
  }
  return predictionOfDraws(std::move(*draws), {}, noise);
}

LabDiagnostics EnsembleLearner::diagnostics() const {
  LabDiagnostics result;
  addTrainingLosses(members_, result);
  return result;
}

}  // namespace dubito
