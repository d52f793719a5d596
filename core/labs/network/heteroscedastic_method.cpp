// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/network_learner.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/portable_math.h"
#include "core/labs/network/regression_task.h"

namespace dubito {
namespace {

struct HeteroscedasticOptions {
  // ReLU: the scatter of dropout functions grows outside the data, while that of bounded units does
  // not.
  NetworkOptions network{.hidden_units = 100, .activation = "relu"};
  double precision = 0.1;
  double drop_rate = 0.02;
  std::int64_t draws = 100;

  std::vector<Field> fields() {
    Field rate = dropRateField(drop_rate);
    rate.info.help += ", for the epistemic part; 0: a single function";
    return joinFields({std::move(rate), drawsField(draws), precisionField(precision)},
                      network.fields());
  }
};

/// The log variance starts at that of the noise of the problem, everywhere.
std::vector<double> heteroscedasticStart(const RegressionProblem& problem,
                                         const NetworkShape& shape, std::uint64_t seed) {
  std::vector<double> start = initialParameters(shape, seed, 0);
  const std::int64_t units = shape.hidden.back();
  const auto first = start.begin() + shape.firstWeightOf(shape.layerCount() - 1);
  std::fill_n(first + units, units, 0.0);
  start.back() = 2.0 * std::log(problem.noise_std);
  return start;
}

class HeteroscedasticLearner : public NetworkLearner<RegressionTask> {
 public:
  HeteroscedasticLearner(const RegressionProblem& problem, const HeteroscedasticOptions& options,
                         std::uint64_t seed)
      : NetworkLearner(problem, options.network.shape(2), options.network.training(),
                       heteroscedasticStart(problem, options.network.shape(2), seed), seed),
        options_(options),
        masks_(shape(), seed) {}

  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override {
    const bool has_draws = options_.drop_rate > 0.0;
    const std::int64_t count =
        has_draws ? std::min(options_.draws, std::max(max_draws, std::int64_t{1})) : 1;
    auto variances = Array<double>::zeros({count, std::ssize(x)});
    auto draws = functionDraws(count, x, context, [&](std::int64_t t, std::span<double> values) {
      DropoutMasks masks(shape(), seed());
      std::vector<double> outputs(2 * x.size());
      networkOutputs(shape(), networkParameters(), x, outputs,
                     masks.ofFunction(options_.drop_rate, static_cast<std::uint32_t>(t)));
      for (std::size_t i = 0; i < x.size(); ++i) {
        values[i] = outputs[2 * i];
        variances.mutableRow(t)[i] = portableExp(outputs[2 * i + 1]);
      }
    });
    if (!draws) {
      return failWith(draws);
    }
    RegressionPrediction result = predictionOfDraws(std::move(*draws), std::move(variances), 0.0);
    if (!has_draws) {
      result.draws = {};
      result.noise_variance_of_draws = {};
      result.is_mixture = false;
    }
    return result;
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result = NetworkLearner::diagnostics();
    if (options_.drop_rate == 0.0) {
      result.warnings.emplace_back(
          "Without dropout there is a single function: its epistemic variance is 0 everywhere");
    }
    return result;
  }

 protected:
  double loss(std::span<const std::int64_t> items, std::uint32_t step,
              std::span<const double> parameters, std::span<double> gradient) override {
    // If the variance is free from the start, it explains away what the mean does not fit yet, and
    // the mean never recovers. So the mean is trained alone first.
    const bool is_noise_fixed = training().done() < total() / 2;
    const InputScales scales = options_.drop_rate > 0.0
                                   ? masks_.ofStep(options_.drop_rate, step, std::ssize(items))
                                   : InputScales{};
    const double loss = heteroscedasticLoss(
        RegressionBatch(problem(), items),
        is_noise_fixed ? std::optional(2.0 * std::log(problem().noise_std)) : std::nullopt, shape(),
        parameters, gradient, scales);
    const double decay = options_.precision / static_cast<double>(problem().size());
    double squares = 0.0;
    // The bias of the log variance has no prior: it is the level of the noise.
    for (std::size_t i = 0; i + 1 < parameters.size(); ++i) {
      squares += parameters[i] * parameters[i];
      gradient[i] += decay * parameters[i];
    }
    return loss + 0.5 * decay * squares;
  }

 private:
  HeteroscedasticOptions options_;
  DropoutMasks masks_;
};

}  // namespace

RegressionMethodInfo heteroscedasticMethod() {
  return {"heteroscedastic",
          "Learned noise",
          "A network with two outputs: the mean, and the log variance of the noise, which may "
          "change along x. Dropout adds the epistemic part.",
          "minimise Σₙ ½s(xₙ) + (yₙ − f(xₙ))²/(2 exp s(xₙ))",
          "9-small-bayesian-models",
          makeNetworkMethod<HeteroscedasticOptions, HeteroscedasticLearner>};
}

}  // namespace dubito
