// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/labs/network/concrete_layers.h"
#include "core/labs/network/network_learner.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/regression_task.h"

namespace dubito {
namespace {

struct ConcreteOptions {
  // ReLU: the scatter of dropout functions grows outside the data, while that of bounded units does
  // not.
  NetworkOptions network{.activation = "relu", .epochs = 1500, .learning_rate = 0.02};
  double initial_rate = 0.1;
  std::string rates = "layer";
  double length_scale = 0.3;
  std::int64_t draws = 100;

  std::vector<Field> fields() {
    return joinFields({field(&rates, "rates", "Drop rates",
                             "one trained drop rate per hidden layer, or one per hidden unit",
                             {.choices = {"layer", "unit"}}),
                       field(&initial_rate, "initial_rate", "Initial drop rate",
                             "probability that a hidden unit is dropped, before training",
                             {.min = 0.001, .max = 0.95}),
                       lengthScaleField(length_scale, 1e-6), drawsField(draws)},
                      network.fields());
  }
};

class ConcreteDropoutLearner : public NetworkLearner<RegressionTask> {
 public:
  ConcreteDropoutLearner(const RegressionProblem& problem, const ConcreteOptions& options,
                         std::uint64_t seed)
      : ConcreteDropoutLearner(
            problem, options, seed,
            ConcreteLayers(options.network.shape(1), options.rates == "unit", seed)) {}

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result = NetworkLearner::diagnostics();
    for (std::size_t layer = 0; layer < rate_traces_.size(); ++layer) {
      const std::string name = fmt::format("Mean drop rate of hidden layer {}", layer + 1);
      result.numbers.push_back({fmt::format("drop_rate_{}", layer + 1), name, meanRate(layer)});
      if (done() > 0) {
        result.traces.push_back(rate_traces_[layer].curve(name));
      }
    }
    return result;
  }

 protected:
  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> x, std::int64_t max_draws,
                                                  RunContext& context) const override {
    return functionDraws(std::clamp<std::int64_t>(max_draws, 1, options_.draws), x, context,
                         [&](std::int64_t t, std::span<double> values) {
                           const auto factors = layers_.ofFunction(static_cast<std::uint32_t>(t),
                                                                   training().parameters());
                           std::vector<InputScale> scales(factors.size());
                           for (std::size_t layer = 0; layer < factors.size(); ++layer) {
                             scales[layer] = {.factors = factors[layer]};
                           }
                           networkOutputs(shape(), networkParameters(), x, values, scales);
                         });
  }
  [[nodiscard]] bool hasOneFunction() const override { return false; }

  double loss(std::span<const std::int64_t> items, std::uint32_t step,
              std::span<const double> parameters, std::span<double> gradient) override {
    const auto network = static_cast<std::size_t>(shape().parameterCount());
    const InputScales scales = layers_.ofStep(step, std::ssize(items), parameters);
    const double loss =
        meanSquaredLoss(RegressionBatch(problem(), items), problem().noise_std, shape(),
                        parameters.first(network), gradient.first(network), scales);
    layers_.writeLogitGradient(gradient);
    return loss + layers_.addPenalty(options_.length_scale, static_cast<double>(problem().size()),
                                     parameters, gradient);
  }

  void onEpoch() override {
    for (std::size_t layer = 0; layer < rate_traces_.size(); ++layer) {
      rate_traces_[layer].add(meanRate(layer));
    }
  }

 private:
  ConcreteDropoutLearner(const RegressionProblem& problem, const ConcreteOptions& options,
                         std::uint64_t seed, ConcreteLayers layers)
      : NetworkLearner(problem, options.network.shape(1), options.network.training(),
                       layers.start(initialParameters(options.network.shape(1), seed, 0),
                                    options.initial_rate),
                       seed),
        options_(options),
        layers_(std::move(layers)),
        rate_traces_(shape().hidden.size()) {}

  /// Of hidden layer `hidden`, which counts from 0.
  [[nodiscard]] double meanRate(std::size_t hidden) const {
    return layers_.meanRate(static_cast<std::int64_t>(hidden) + 1, training().parameters());
  }

  ConcreteOptions options_;
  ConcreteLayers layers_;
  std::vector<ThinnedTrace> rate_traces_;
};

}  // namespace

RegressionMethodInfo concreteDropoutMethod() {
  return {"concrete",
          "Concrete dropout",
          "MC dropout whose drop rates are trained together with the weights, through a smooth "
          "relaxation of the masks. More data, lower rates.",
          "z = sigmoid((logit p + logit u)/0.1); minimise NLL + l²|V|²/(2N(1 − p)) − "
          "entropy(p) / N per unit",
          "4-dropout-inference",
          makeNetworkMethod<ConcreteOptions, ConcreteDropoutLearner>};
}

}  // namespace dubito
