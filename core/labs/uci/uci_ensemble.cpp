// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <optional>

#include "core/labs/network/portable_math.h"
#include "core/labs/network/regression_task.h"
#include "core/labs/uci/uci_methods.h"
#include "core/labs/uci/uci_training.h"

namespace dubito {
namespace {

constexpr std::int64_t kMembers = 5;
/// Least variance of the noise, relative to that of the targets, as in Lakshminarayanan et al.
constexpr double kLeastVariance = 1e-6;

/// The noise starts at the spread of the targets, everywhere.
std::vector<double> startOfMember(const NetworkShape& shape, std::uint64_t seed,
                                  std::uint64_t member) {
  std::vector<double> start = glorotParameters(shape, seed, member);
  const std::int64_t units = shape.hidden.back();
  std::fill_n(start.begin() + shape.firstWeightOf(shape.layerCount() - 1) + units, units, 0.0);
  return start;
}

}  // namespace

Expected<UciScore> evaluateEnsemble(const UciFit& fit) {
  const NetworkShape shape = uciShape(fit.set, 2);
  const RegressionProblem& data = fit.problem.train;
  const auto epochs = static_cast<std::int64_t>(chosenValue(fit.choice, "epochs"));
  MixtureScore score(fit.problem);
  const std::size_t items = fit.problem.test_y.size();
  std::vector<double> outputs(2 * items);
  std::vector<double> means(items);
  std::vector<double> variances(items);
  for (std::int64_t m = 0; m < kMembers; ++m) {
    const auto member = static_cast<std::uint64_t>(m);
    Training training(startOfMember(shape, fit.seed, member), data.size(), decayingSettings(epochs),
                      fit.seed, member);
    const TrainingLoss loss = [&](std::span<const std::int64_t> batch, std::uint32_t /*step*/,
                                  std::span<const double> parameters, std::span<double> gradient) {
      // If the variance is free from the start, it explains away what the mean does not fit yet.
      const bool is_noise_fixed = 2 * training.done() < epochs;
      return heteroscedasticLoss(RegressionBatch(data, batch),
                                 is_noise_fixed ? std::optional(0.0) : std::nullopt, shape,
                                 parameters, gradient);
    };
    if (Status trained = trainAll(training, epochs, loss, fit.context); !trained) {
      return failWith(trained);
    }
    networkOutputs(shape, training.parameters(), fit.problem.test_x, outputs);
    for (std::size_t i = 0; i < items; ++i) {
      means[i] = outputs[2 * i];
      variances[i] = portableExp(outputs[2 * i + 1]) + kLeastVariance;
    }
    score.add(means, variances);
  }
  return score.score();
}

}  // namespace dubito
