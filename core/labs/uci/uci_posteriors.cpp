// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/labs/network/ensemble_learner.h"
#include "core/labs/network/linearised_posterior.h"
#include "core/labs/network/network_regression.h"
#include "core/labs/network/regression_task.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/bayes_by_backprop.h"
#include "core/labs/uci/uci_methods.h"
#include "core/labs/uci/uci_training.h"

namespace dubito {
namespace {

/// Prior precision of all parameters; that of the weights of the last layer grows with its width.
constexpr NetworkPrior kUciPrior{.precision = 1.0, .scaled_by_inputs = true};
constexpr double kInitialStd = 0.05;
/// Draws of weights that are scored, at most: unlike masks, they take hundreds of normal numbers
/// each.
constexpr std::int64_t kMaxWeightDraws = 1000;

/// ln prior + N/n sum ln p(item | q) over a batch of n items.
class BatchDensity : public LogDensity {
 public:
  BatchDensity(const NetworkPosterior& posterior, std::span<const std::int64_t> items)
      : posterior_(posterior), items_(items) {}

  [[nodiscard]] std::int64_t dimension() const override { return posterior_.dimension(); }
  double evaluate(std::span<const double> q, std::span<double> gradient) const override {
    const double weight =
        static_cast<double>(posterior_.problem().size()) / static_cast<double>(items_.size());
    const double likelihood = posterior_.logLikelihood(q, items_, weight, gradient);
    return likelihood + posterior_.addLogPrior(q, gradient);
  }

 private:
  const NetworkPosterior& posterior_;
  std::span<const std::int64_t> items_;
};

/// Gradients [M, units + 1] of the outputs in the weights and the bias of the last layer.
std::vector<double> lastLayerJacobians(const NetworkShape& shape,
                                       std::span<const double> parameters,
                                       std::span<const double> inputs) {
  constexpr std::int64_t kRowsPerPart = 256;
  const std::int64_t all = shape.parameterCount();
  const std::int64_t first = shape.firstWeightOf(shape.layerCount() - 1);
  const std::int64_t rows = std::ssize(inputs) / shape.inputs;
  std::vector<double> part(static_cast<std::size_t>(kRowsPerPart * all));
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(rows * (all - first)));
  for (std::int64_t row = 0; row < rows; row += kRowsPerPart) {
    const std::int64_t count = std::min(kRowsPerPart, rows - row);
    networkJacobians(shape, parameters,
                     inputs.subspan(static_cast<std::size_t>(row * shape.inputs),
                                    static_cast<std::size_t>(count * shape.inputs)),
                     std::span(part).first(static_cast<std::size_t>(count * all)));
    for (std::int64_t i = 0; i < count; ++i) {
      result.insert(result.end(), part.begin() + i * all + first, part.begin() + (i + 1) * all);
    }
  }
  return result;
}

}  // namespace

Expected<UciScore> evaluateBayesByBackprop(const UciFit& fit) {
  const NetworkShape shape = uciShape(fit.set, 1);
  RegressionProblem data = fit.problem.train;
  data.noise_std = standardisedNoise(fit.problem, chosenValue(fit.choice, "tau"));
  const std::int64_t items = data.size();
  const double noise_variance = data.noise_std * data.noise_std;
  const NetworkPosterior posterior(std::move(data), shape, kUciPrior);
  std::vector<double> mean = glorotParameters(shape, fit.seed, 0);
  std::vector<double> rho;
  for (const double precision : posterior.precisions()) {
    rho.push_back(inverseSoftplus(kInitialStd / std::sqrt(precision)));
  }
  const std::int64_t steps_per_epoch = (items + kUciBatch - 1) / kUciBatch;
  const std::int64_t dimension = posterior.dimension();
  DecayingAdam mean_optimizer(dimension, kUciDecayingRate, fit.epochs * steps_per_epoch);
  DecayingAdam rho_optimizer(dimension, kUciDecayingRate, fit.epochs * steps_per_epoch);
  const KeyedRandom shuffle(fit.seed, LabSite::kShuffle);
  const KeyedRandom noise_source(fit.seed, LabSite::kWeightNoise);
  std::vector<std::int64_t> order(static_cast<std::size_t>(items));
  std::vector<double> noise(mean.size());
  std::uint32_t step = 0;
  for (std::int64_t epoch = 0; epoch < fit.epochs; ++epoch) {
    if (fit.context.cancelRequested()) {
      return cancelled();
    }
    shuffle.permutation(static_cast<std::uint32_t>(epoch), order);
    double loss = 0.0;
    for (std::int64_t first = 0; first < items; first += kUciBatch) {
      const std::span<const std::int64_t> batch(
          order.data() + first, static_cast<std::size_t>(std::min(kUciBatch, items - first)));
      noise_source.normals(step++, noise);
      const BbbGradient gradient =
          bbbGradient(BatchDensity(posterior, batch), mean, rho, noise, fit.context);
      mean_optimizer.step(mean, gradient.mean);
      rho_optimizer.step(rho, gradient.rho);
      loss = gradient.loss;
    }
    if (!std::isfinite(loss)) {
      return fail(ErrorCode::kInvalidArgument,
                  "Bayes by Backprop diverged; use fewer epochs or another method");
    }
  }
  std::vector<double> std(mean.size());
  std::ranges::transform(rho, std.begin(), softplus);
  const KeyedRandom draws(fit.seed, LabSite::kFunctionDraw);
  std::vector<double> weights(mean.size());
  std::vector<double> outputs(fit.problem.test_y.size());
  MixtureScore score(fit.problem);
  for (std::int64_t t = 0; t < std::min(fit.draws, kMaxWeightDraws); ++t) {
    if (t % kUciDrawsPerLook == 0 && fit.context.cancelRequested()) {
      return cancelled();
    }
    draws.normals(static_cast<std::uint32_t>(t), noise);
    drawOf(mean, std, noise, 0, weights);
    networkOutputs(shape, weights, fit.problem.test_x, outputs);
    score.add(outputs, noise_variance);
  }
  return score.score();
}

Expected<UciScore> evaluateLastLayerLaplace(const UciFit& fit) {
  const NetworkShape shape = uciShape(fit.set, 1);
  RegressionProblem data = fit.problem.train;
  data.noise_std = standardisedNoise(fit.problem, chosenValue(fit.choice, "tau"));
  const TrainingLoss loss = [&](std::span<const std::int64_t> items, std::uint32_t /*step*/,
                                std::span<const double> parameters, std::span<double> gradient) {
    return posteriorLoss<RegressionTask>(data, items, shape, kUciPrior.precision, parameters,
                                         gradient);
  };
  Training training(glorotParameters(shape, fit.seed, 0), data.size(), decayingSettings(fit.epochs),
                    fit.seed, 0);
  if (Status trained = trainAll(training, fit.epochs, loss, fit.context); !trained) {
    return failWith(trained);
  }
  const std::span<const double> parameters = training.parameters();
  const std::span<const double> last =
      parameters.subspan(static_cast<std::size_t>(shape.firstWeightOf(shape.layerCount() - 1)));
  LinearisedPosterior posterior(lastLayerJacobians(shape, parameters, data.x), std::ssize(last),
                                data.noise_std, 1.0);
  posterior.maximiseEvidence(std::inner_product(last.begin(), last.end(), last.begin(), 0.0));
  std::vector<double> means(fit.problem.test_y.size());
  networkOutputs(shape, parameters, fit.problem.test_x, means);
  const std::vector<double> jacobians = lastLayerJacobians(shape, parameters, fit.problem.test_x);
  std::vector<double> variances;
  for (std::size_t i = 0; i < means.size(); ++i) {
    variances.push_back(
        data.noise_std * data.noise_std +
        posterior.variance(std::span(jacobians).subspan(i * last.size(), last.size())));
  }
  MixtureScore score(fit.problem);
  score.add(means, variances);
  return score.score();
}

}  // namespace dubito
