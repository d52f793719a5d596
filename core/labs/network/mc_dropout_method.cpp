// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/network_learner.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/network_options.h"

namespace dubito {
namespace {

struct McDropoutLabOptions {
  // ReLU: the scatter of dropout functions grows outside the data, while that of bounded units does
  // not.
  NetworkOptions network{.hidden_units = 100, .activation = "relu"};
  double drop_rate = 0.05;
  double length_scale = 0.3;
  std::int64_t draws = 100;

  std::vector<Field> fields() {
    return joinFields(
        {{{.name = "drop_rate",
           .label = "Drop rate",
           .help = "probability that a hidden unit is dropped",
           .min = 0.0,
           .max = 0.95},
          &drop_rate},
         {{.name = "length_scale",
           .label = "Length scale",
           .help = "prior length scale of the function; sets the weight decay, larger "
                   "is smoother",
           .min = 0.0,
           .max = 1e4},
          &length_scale},
         drawsField(draws)},
        network.fields());
  }
  [[nodiscard]] Status check() const { return checkFields(McDropoutLabOptions(*this).fields()); }
};

class McDropoutLearner : public NetworkLearner {
 public:
  McDropoutLearner(const RegressionProblem& problem, const McDropoutLabOptions& options,
                   std::uint64_t seed)
      : NetworkLearner(problem, options.network.shape(1), options.network.training(),
                       initialParameters(options.network.shape(1), seed, 0), seed),
        options_(options),
        masks_(shape(), seed) {}

  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override {
    auto draws = functionDraws(
        std::min(options_.draws, std::max(max_draws, std::int64_t{1})), x, context,
        [&](std::int64_t t, std::span<double> values) {
          DropoutMasks masks(shape(), seed());
          networkOutputs(shape(), networkParameters(), x, values,
                         masks.ofFunction(options_.drop_rate, static_cast<std::uint32_t>(t)));
        });
    if (!draws) {
      return failWith(draws);
    }
    return predictionOfDraws(std::move(*draws), {}, problem().noise_std * problem().noise_std);
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result = NetworkLearner::diagnostics();
    if (options_.drop_rate == 0.0) {
      result.warnings.emplace_back("The drop rate is 0, so all functions drawn are the same");
    }
    return result;
  }

 protected:
  double loss(std::span<const std::int64_t> items, std::uint32_t step,
              std::span<const double> parameters, std::span<double> gradient) override {
    const InputScales scales = masks_.ofStep(options_.drop_rate, step, std::ssize(items));
    double loss = meanSquaredLoss(RegressionBatch(problem(), items), problem().noise_std, shape(),
                                  parameters, gradient, scales);
    const double noise_precision = 1.0 / (problem().noise_std * problem().noise_std);
    for (std::int64_t layer = 0; layer < shape().layerCount(); ++layer) {
      // Nothing is dropped before the first layer. The loss is that of the decay times the noise
      // precision.
      const double rate = layer == 0 ? 0.0 : options_.drop_rate;
      const double decay =
          noise_precision * dropoutWeightDecay(rate, options_.length_scale,
                                               static_cast<double>(problem().size()),
                                               noise_precision)
                                .of_stored;
      const std::int64_t end = shape().firstBiasOf(layer) + shape().outputsOf(layer);
      for (std::int64_t p = shape().firstWeightOf(layer); p < end; ++p) {
        const auto i = static_cast<std::size_t>(p);
        loss += decay * parameters[i] * parameters[i];
        gradient[i] += 2.0 * decay * parameters[i];
      }
    }
    return loss;
  }

 private:
  McDropoutLabOptions options_;
  DropoutMasks masks_;
};

}  // namespace

RegressionMethodInfo mcDropoutMethod() {
  return {"mc-dropout",
          "MC dropout",
          "One network trained with dropout, which stays on for predictions: every random mask "
          "gives another function.",
          "mean and variance of f_1 .. f_T, each with one mask on the hidden units",
          "4-dropout-inference",
          []() -> std::unique_ptr<RegressionMethod> {
            return std::make_unique<NetworkMethod<McDropoutLabOptions, McDropoutLearner>>();
          }};
}

}  // namespace dubito
