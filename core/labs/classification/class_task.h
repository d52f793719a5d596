// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/classification/class_method.h"
#include "core/labs/classification/class_prediction.h"
#include "core/labs/network/drawn_learner.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/network_pass.h"
#include "core/labs/sampling/log_density.h"

namespace dubito {

/// The network that all methods share by default: 2 inputs, two hidden layers of ReLU, K logits.
[[nodiscard]] NetworkOptions defaultClassNetwork();

/// `weight` times the sum over `items` of log softmax(f(x_n))[c_n], with its gradient [P]
/// (overwritten) unless that is empty. Exponentials are the same on every machine.
double classLogLikelihood(const ClassProblem& problem, std::span<const std::int64_t> items,
                          const NetworkShape& shape, std::span<const double> parameters,
                          double weight, std::span<double> gradient, InputScales scales = {});

/// The points as items, given the parameters of a network.
class ClassLikelihood : public ItemLikelihood {
 public:
  ClassLikelihood(ClassProblem problem, NetworkShape shape);

  [[nodiscard]] std::int64_t dimension() const override { return shape_.parameterCount(); }
  [[nodiscard]] std::int64_t items() const override { return problem_.size(); }
  double evaluate(std::span<const double> q, std::span<const std::int64_t> items,
                  std::span<double> gradient, std::span<double> squared) const override;

 private:
  ClassProblem problem_;
  NetworkShape shape_;
};

/// Classification with networks, for learners that serve several tasks; see RegressionTask.
struct ClassTask {
  using Problem = ClassProblem;
  using Method = ClassMethod;
  using Learner = ClassLearner;
  using FunctionLearner = ClassLearner;
  using Prediction = ClassPrediction;

  /// Draws per task of a thread.
  static constexpr std::int64_t kDrawsPerPart = 1;

  [[nodiscard]] static NetworkShape shape(const NetworkOptions& options,
                                          const ClassProblem& problem) {
    return options.shape(problem.class_count, 2);
  }
  /// Mean negative log likelihood of `items`, with its gradient [P] (overwritten).
  static double meanLoss(const ClassProblem& problem, std::span<const std::int64_t> items,
                         const NetworkShape& shape, std::span<const double> parameters,
                         std::span<double> gradient, InputScales scales = {}) {
    return classLogLikelihood(problem, items, shape, parameters,
                              -1.0 / static_cast<double>(items.size()), gradient, scales);
  }
  /// Precision of the noise that weight decay refers to: that of a mean negative log likelihood.
  [[nodiscard]] static double noisePrecision(const ClassProblem& /*problem*/) { return 1.0; }
  [[nodiscard]] static std::vector<std::int64_t> drawsShape(std::int64_t draws,
                                                            std::span<const double> inputs,
                                                            const NetworkShape& shape) {
    return {draws, std::ssize(inputs) / 2, shape.outputs};
  }
  template <class Predict>
  [[nodiscard]] static Expected<ClassPrediction> predictInParts(std::span<const double> inputs,
                                                                const NetworkShape& shape,
                                                                RunContext& context,
                                                                const Predict& predict) {
    return dubito::predictInParts(inputs, shape.outputs, context, predict);
  }
  /// From logits `draws` [T, M, K] of functions.
  [[nodiscard]] static ClassPrediction prediction(const ClassProblem& /*problem*/,
                                                  const Array<double>& draws, bool is_one_function,
                                                  const RunContext& context) {
    return is_one_function ? predictionOfLogits(draws.reshaped({draws.extent(1), draws.extent(2)}))
                           : predictionOfFunctions(draws, context);
  }
};

}  // namespace dubito
