// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/labs/network/concrete_layers.h"
#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/regression_task.h"
#include "core/labs/uci/uci_methods.h"
#include "core/labs/uci/uci_training.h"

namespace dubito {
namespace {

constexpr double kLengthScale = 0.01;
constexpr double kInitialConcreteRate = 0.1;

/// Scores functions drawn with `scales(t)`. Items share the mask of a draw: the published code
/// gives each its own, which has the same distribution for each item.
template <class ScalesOf>
Expected<UciScore> scoreOfFunctions(const UciFit& fit, const NetworkShape& shape,
                                    std::span<const double> parameters, double noise_std,
                                    const ScalesOf& scales) {
  MixtureScore score(fit.problem);
  std::vector<double> outputs(fit.problem.test_y.size());
  for (std::int64_t t = 0; t < fit.draws; ++t) {
    if (t % kUciDrawsPerLook == 0 && fit.context.cancelRequested()) {
      return cancelled();
    }
    networkOutputs(shape, parameters, fit.problem.test_x, outputs,
                   scales(static_cast<std::uint32_t>(t)));
    score.add(outputs, noise_std * noise_std);
  }
  return score.score();
}

}  // namespace

Expected<UciScore> evaluateMcDropout(const UciFit& fit) {
  const double rate = chosenValue(fit.choice, "drop_rate");
  const double tau = chosenValue(fit.choice, "tau");
  const NetworkShape shape = uciShape(fit.set, 1);
  const RegressionProblem& data = fit.problem.train;
  // The published code adds the decay of unscaled weights to the whole squared error, not to half
  // of it, and leaves the biases alone.
  const double decay =
      dropoutWeightDecay(rate, kLengthScale, static_cast<double>(data.size()), tau).of_unscaled;
  const double noise_of_squared_error = std::sqrt(0.5);
  DropoutMasks masks(shape, fit.seed, /*drops_inputs=*/true);
  const TrainingLoss loss = [&](std::span<const std::int64_t> items, std::uint32_t step,
                                std::span<const double> parameters, std::span<double> gradient) {
    double sum = meanSquaredLoss(RegressionBatch(data, items), noise_of_squared_error, shape,
                                 parameters, gradient, masks.ofStep(rate, step, std::ssize(items)));
    for (std::int64_t layer = 0; layer < shape.layerCount(); ++layer) {
      const auto end = static_cast<std::size_t>(shape.firstBiasOf(layer));
      for (auto i = static_cast<std::size_t>(shape.firstWeightOf(layer)); i < end; ++i) {
        sum += decay * parameters[i] * parameters[i];
        gradient[i] += 2.0 * decay * parameters[i];
      }
    }
    return sum;
  };
  Training training(
      glorotParameters(shape, fit.seed, 0), data.size(),
      {.epochs = fit.epochs, .learning_rate = kUciRate, .decays = false, .batch_size = kUciBatch},
      fit.seed, 0);
  if (Status trained = trainAll(training, fit.epochs, loss, fit.context); !trained) {
    return failWith(trained);
  }
  return scoreOfFunctions(fit, shape, training.parameters(), standardisedNoise(fit.problem, tau),
                          [&](std::uint32_t t) { return masks.ofFunction(rate, t); });
}

Expected<UciScore> evaluateConcreteDropout(const UciFit& fit) {
  const NetworkShape shape = uciShape(fit.set, 1);
  const RegressionProblem& data = fit.problem.train;
  const double noise_std = standardisedNoise(fit.problem, chosenValue(fit.choice, "tau"));
  const auto network = static_cast<std::size_t>(shape.parameterCount());
  ConcreteLayers layers(shape, /*one_rate_per_unit=*/false, fit.seed);
  const TrainingLoss loss = [&](std::span<const std::int64_t> items, std::uint32_t step,
                                std::span<const double> parameters, std::span<double> gradient) {
    const double sum = meanSquaredLoss(RegressionBatch(data, items), noise_std, shape,
                                       parameters.first(network), gradient.first(network),
                                       layers.ofStep(step, std::ssize(items), parameters));
    layers.writeLogitGradient(gradient);
    return sum +
           layers.addPenalty(kLengthScale, static_cast<double>(data.size()), parameters, gradient);
  };
  Training training(layers.start(glorotParameters(shape, fit.seed, 0), kInitialConcreteRate),
                    data.size(), decayingSettings(fit.epochs), fit.seed, 0);
  if (Status trained = trainAll(training, fit.epochs, loss, fit.context); !trained) {
    return failWith(trained);
  }
  const std::span<const double> parameters = training.parameters();
  std::vector<std::vector<double>> factors;
  std::vector<InputScale> scales(static_cast<std::size_t>(shape.layerCount()));
  return scoreOfFunctions(fit, shape, parameters.first(network), noise_std,
                          [&](std::uint32_t t) -> InputScales {
                            factors = layers.ofFunction(t, parameters);
                            for (std::size_t layer = 0; layer < factors.size(); ++layer) {
                              scales[layer] = {.factors = factors[layer]};
                            }
                            return scales;
                          });
}

}  // namespace dubito
