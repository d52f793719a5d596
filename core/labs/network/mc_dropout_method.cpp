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
    return joinFields({dropRateField(drop_rate), lengthScaleField(length_scale), drawsField(draws)},
                      network.fields());
  }
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
    addDropoutDecay(shape(), options_.drop_rate, options_.length_scale,
                    static_cast<double>(problem().size()), noise_precision, parameters, gradient,
                    loss);
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
