// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/class_prediction.h"
#include "core/labs/classification/trained_class_learner.h"
#include "core/labs/network/dropout_masks.h"

namespace dubito {
namespace {

struct DropoutClassOptions {
  NetworkOptions network = [] {
    NetworkOptions wide = defaultClassNetwork();
    wide.hidden_units = 32;  // half of them are there at a time
    return wide;
  }();
  double drop_rate = 0.2;
  double length_scale = 0.5;
  std::int64_t draws = 50;

  std::vector<Field> fields() {
    return joinFields({dropRateField(drop_rate), lengthScaleField(length_scale), drawsField(draws)},
                      network.fields());
  }
};

class DropoutClassLearner : public TrainedClassLearner {
 public:
  DropoutClassLearner(const ClassProblem& problem, const DropoutClassOptions& options,
                      std::uint64_t seed)
      : TrainedClassLearner(problem, options.network, 1, seed), options_(options) {}

  [[nodiscard]] Expected<ClassPrediction> predict(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    return predictInParts(inputs, shape().outputs, context,
                          [&](std::span<const double> part) -> Expected<ClassPrediction> {
                            const auto logits = functions(part, max_draws, context);
                            return logits ? predictionOfFunctions(*logits, context)
                                          : Expected<ClassPrediction>(failWith(logits));
                          });
  }

  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    return logitsOfDraws(
        std::clamp<std::int64_t>(max_draws, 1, options_.draws), inputs, shape().outputs, context,
        [this](std::int64_t t, std::span<const double> part, std::span<double> logits) {
          DropoutMasks masks(shape(), seed());
          networkOutputs(shape(), parametersOf(0), part, logits,
                         masks.ofFunction(options_.drop_rate, static_cast<std::uint32_t>(t)));
        });
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result = TrainedClassLearner::diagnostics();
    if (options_.drop_rate == 0.0) {
      result.warnings.emplace_back("The drop rate is 0, so all functions drawn are the same");
    }
    return result;
  }

 protected:
  double loss(std::span<const std::int64_t> items, std::uint32_t step,
              std::span<const double> parameters, std::span<double> gradient) const override {
    DropoutMasks masks(shape(), seed());
    double sum = classLogLikelihood(problem(), items, shape(), parameters,
                                    -1.0 / static_cast<double>(items.size()), gradient,
                                    masks.ofStep(options_.drop_rate, step, std::ssize(items)));
    // The precision of the noise is that of the mean negative log-likelihood: 1.
    addDropoutDecay(shape(), options_.drop_rate, options_.length_scale,
                    static_cast<double>(problem().size()), 1.0, parameters, gradient, sum);
    return sum;
  }

 private:
  DropoutClassOptions options_;
};

}  // namespace

ClassMethodInfo dropoutClassMethod() {
  return {"mc-dropout",
          "MC dropout",
          "One network trained with dropout, which stays on for predictions: every random mask "
          "gives another border.",
          "p = mean of softmax(f_1(x)) .. softmax(f_T(x)), each with one mask on the hidden units",
          "4-dropout-inference",
          []() -> std::unique_ptr<ClassMethod> {
            return std::make_unique<TrainedClassMethod<DropoutClassOptions, DropoutClassLearner>>();
          }};
}

}  // namespace dubito
