// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/labs/network/concrete_dropout.h"
#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/network_learner.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/network_options.h"

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
    return joinFields(
        {{{.name = "rates",
           .label = "Drop rates",
           .help = "one trained drop rate per hidden layer, or one per hidden unit",
           .choices = {"layer", "unit"}},
          &rates},
         {{.name = "initial_rate",
           .label = "Initial drop rate",
           .help = "probability that a hidden unit is dropped, before training",
           .min = 0.001,
           .max = 0.95},
          &initial_rate},
         {{.name = "length_scale",
           .label = "Length scale",
           .help = "prior length scale of the function; sets the weight decay, larger is smoother",
           .min = 1e-6,
           .max = 1e4},
          &length_scale},
         drawsField(draws)},
        network.fields());
  }
  [[nodiscard]] Status check() const { return checkFields(ConcreteOptions(*this).fields()); }
};

/// Parameters of the network, then the logits of the drop rates: one per hidden layer or unit.
std::vector<double> concreteStart(const ConcreteOptions& options, std::uint64_t seed) {
  const NetworkShape shape = options.network.shape(1);
  std::vector<double> start = initialParameters(shape, seed, 0);
  const double logit = std::log(options.initial_rate) - std::log1p(-options.initial_rate);
  for (const std::int64_t units : shape.hidden) {
    const std::int64_t rates = options.rates == "unit" ? units : 1;
    start.insert(start.end(), static_cast<std::size_t>(rates), logit);
  }
  return start;
}

class ConcreteDropoutLearner : public NetworkLearner {
 public:
  ConcreteDropoutLearner(const RegressionProblem& problem, const ConcreteOptions& options,
                         std::uint64_t seed)
      : NetworkLearner(problem, options.network.shape(1), options.network.training(),
                       concreteStart(options, seed), seed),
        options_(options),
        masks_(shape(), seed),
        layers_(static_cast<std::size_t>(shape().layerCount())),
        rate_traces_(shape().hidden.size()) {}

  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override {
    auto draws = functionDraws(
        std::min(options_.draws, std::max(max_draws, std::int64_t{1})), x, context,
        [&](std::int64_t t, std::span<double> values) {
          std::vector<std::vector<double>> factors(layers_.size());
          std::vector<InputScale> scales(layers_.size());
          for (std::int64_t layer = 1; layer < shape().layerCount(); ++layer) {
            const auto l = static_cast<std::size_t>(layer);
            factors[l].resize(static_cast<std::size_t>(shape().inputsOf(layer)));
            masks_.uniformsOfFunction(layer, static_cast<std::uint32_t>(t), factors[l]);
            const std::vector<ConcreteRate> rates = ratesOf(layer, training().parameters());
            for (std::size_t i = 0; i < factors[l].size(); ++i) {
              factors[l][i] = rates[i].mask(factors[l][i]).factor;
            }
            scales[l] = {.factors = factors[l]};
          }
          networkOutputs(shape(), networkParameters(), x, values, scales);
        });
    if (!draws) {
      return failWith(draws);
    }
    return predictionOfDraws(std::move(*draws), {}, problem().noise_std * problem().noise_std);
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result = NetworkLearner::diagnostics();
    for (std::size_t layer = 0; layer < rate_traces_.size(); ++layer) {
      const std::string name = fmt::format("Mean drop rate of hidden layer {}", layer + 1);
      result.numbers.push_back({fmt::format("drop_rate_{}", layer + 1), name,
                                meanRate(static_cast<std::int64_t>(layer) + 1)});
      if (done() > 0) {
        result.traces.push_back(rate_traces_[layer].curve(name));
      }
    }
    return result;
  }

 protected:
  double loss(std::span<const std::int64_t> items, std::uint32_t step,
              std::span<const double> parameters, std::span<double> gradient) override {
    const auto network = static_cast<std::size_t>(shape().parameterCount());
    std::ranges::fill(gradient.subspan(network), 0.0);
    std::vector<InputScale> scales(layers_.size());
    for (std::int64_t layer = 1; layer < shape().layerCount(); ++layer) {
      scales[static_cast<std::size_t>(layer)] =
          drawMasks(layer, step, std::ssize(items), parameters);
    }
    double loss = meanSquaredLoss(RegressionBatch(problem(), items), problem().noise_std, shape(),
                                  parameters.first(network), gradient.first(network), scales);
    for (std::int64_t layer = 1; layer < shape().layerCount(); ++layer) {
      const LayerMasks& masks = layers_[static_cast<std::size_t>(layer)];
      const auto width = static_cast<std::size_t>(shape().inputsOf(layer));
      for (std::size_t at = 0; at < masks.factors.size(); ++at) {
        gradient[logitOf(layer, at % width)] += masks.gradient[at] * masks.slopes[at];
      }
    }
    return loss + addPenalty(parameters, gradient);
  }

  void onEpoch() override {
    for (std::size_t layer = 0; layer < rate_traces_.size(); ++layer) {
      rate_traces_[layer].add(meanRate(static_cast<std::int64_t>(layer) + 1));
    }
  }

 private:
  struct LayerMasks {
    std::vector<double> factors;
    std::vector<double> slopes;    ///< of the factors in the logits
    std::vector<double> gradient;  ///< of the loss in the factors
  };

  /// Position of the logit for input `i` of `layer` among the parameters.
  [[nodiscard]] std::size_t logitOf(std::int64_t layer, std::size_t i) const {
    auto position = static_cast<std::size_t>(shape().parameterCount());
    if (options_.rates != "unit") {
      return position + static_cast<std::size_t>(layer - 1);
    }
    for (std::int64_t before = 1; before < layer; ++before) {
      position += static_cast<std::size_t>(shape().inputsOf(before));
    }
    return position + i;
  }

  /// Drop rates of the inputs of `layer`.
  [[nodiscard]] std::vector<ConcreteRate> ratesOf(std::int64_t layer,
                                                  std::span<const double> parameters) const {
    std::vector<ConcreteRate> rates;
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape().inputsOf(layer)); ++i) {
      rates.emplace_back(parameters[logitOf(layer, i)]);
    }
    return rates;
  }

  [[nodiscard]] double meanRate(std::int64_t layer) const {
    const auto width = static_cast<double>(shape().inputsOf(layer));
    double sum = 0.0;
    for (const ConcreteRate& rate : ratesOf(layer, training().parameters())) {
      sum += rate.dropped;
    }
    return sum / width;
  }

  InputScale drawMasks(std::int64_t layer, std::uint32_t step, std::int64_t items,
                       std::span<const double> parameters) {
    LayerMasks& masks = layers_[static_cast<std::size_t>(layer)];
    const auto width = static_cast<std::size_t>(shape().inputsOf(layer));
    const std::size_t size = static_cast<std::size_t>(items) * width;
    masks.factors.resize(size);
    masks.slopes.resize(size);
    masks.gradient.resize(size);
    masks_.uniformsOfStep(layer, step, masks.factors);
    const std::vector<ConcreteRate> rates = ratesOf(layer, parameters);
    for (std::size_t at = 0; at < size; ++at) {
      const ConcreteMask mask = rates[at % width].mask(masks.factors[at]);
      masks.factors[at] = mask.factor;
      masks.slopes[at] = mask.slope_of_factor;
    }
    return {.factors = masks.factors, .per_item = true, .gradient = masks.gradient};
  }

  /// Adds the gradient of the regulariser and returns its value. The first layer and the biases
  /// have no dropout and the weight decay of drop rate 0.
  double addPenalty(std::span<const double> parameters, std::span<double> gradient) const {
    const auto n = static_cast<double>(problem().size());
    const double weight_reg = options_.length_scale * options_.length_scale / (2.0 * n);
    const ConcretePenalty penalty{options_.length_scale, n};
    double value = 0.0;
    const auto decay = [&](std::int64_t first, std::int64_t count) {
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + count);
           ++i) {
        value += weight_reg * parameters[i] * parameters[i];
        gradient[i] += 2.0 * weight_reg * parameters[i];
      }
    };
    for (std::int64_t layer = 0; layer < shape().layerCount(); ++layer) {
      const std::int64_t first = shape().firstWeightOf(layer);
      const std::int64_t weights = shape().inputsOf(layer) * shape().outputsOf(layer);
      decay(shape().firstBiasOf(layer), shape().outputsOf(layer));
      if (layer == 0) {
        decay(first, weights);
        continue;
      }
      const auto width = static_cast<std::size_t>(shape().inputsOf(layer));
      std::vector<double> logits(width);
      for (std::size_t i = 0; i < width; ++i) {
        logits[i] = parameters[logitOf(layer, i)];
      }
      std::vector<double> logit_gradient(width);
      const auto at = static_cast<std::size_t>(first);
      const auto count = static_cast<std::size_t>(weights);
      value += penalty.add(parameters.subspan(at, count), logits, gradient.subspan(at, count),
                           logit_gradient);
      for (std::size_t i = 0; i < width; ++i) {
        gradient[logitOf(layer, i)] += logit_gradient[i];
      }
    }
    return value;
  }

  ConcreteOptions options_;
  DropoutMasks masks_;
  std::vector<LayerMasks> layers_;
  std::vector<ThinnedTrace> rate_traces_;
};

}  // namespace

RegressionMethodInfo concreteDropoutMethod() {
  return {"concrete",
          "Concrete dropout",
          "MC dropout whose drop rates are trained together with the weights, through a smooth "
          "relaxation of the masks. More data, lower rates.",
          "z = sigmoid((logit p + logit u) / 0.1); minimise NLL + l^2 |V|^2 / (2N (1 - p)) - "
          "entropy(p) / N per unit",
          "4-dropout-inference",
          []() -> std::unique_ptr<RegressionMethod> {
            return std::make_unique<NetworkMethod<ConcreteOptions, ConcreteDropoutLearner>>();
          }};
}

}  // namespace dubito
