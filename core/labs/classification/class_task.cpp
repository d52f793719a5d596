// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/labs/network/portable_math.h"

namespace dubito {
namespace {

/// log softmax(logits)[c] and, unless it is empty, its gradient in the logits times `weight`.
double logProbability(std::span<const double> logits, std::int64_t c, double weight,
                      std::span<double> gradient) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0.0;
  for (std::size_t k = 0; k < logits.size(); ++k) {
    const double part = portableExp(logits[k] - largest);
    sum += part;
    if (!gradient.empty()) {
      gradient[k] = part;
    }
  }
  const auto own = static_cast<std::size_t>(c);
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    gradient[k] = weight * ((k == own ? 1.0 : 0.0) - gradient[k] / sum);
  }
  return logits[own] - largest - std::log(sum);
}

}  // namespace

NetworkOptions defaultClassNetwork() {
  return {.hidden_units = 16,
          .hidden_layers = 2,
          .activation = "relu",
          .epochs = 600,
          .learning_rate = 0.02};
}

double classLogLikelihood(const ClassProblem& problem, std::span<const std::int64_t> items,
                          const NetworkShape& shape, std::span<const double> parameters,
                          double weight, std::span<double> gradient, InputScales scales) {
  // All items, listed in order, need no copy of the points.
  const bool all = std::ssize(items) == problem.size() && std::ranges::is_sorted(items);
  std::vector<double> chosen;
  if (!all) {
    for (const std::int64_t item : items) {
      const auto at = 2 * static_cast<std::size_t>(item);
      chosen.insert(chosen.end(), {problem.inputs[at], problem.inputs[at + 1]});
    }
  }
  const std::span<const double> inputs = all ? problem.inputs : chosen;
  const auto classes = static_cast<std::size_t>(shape.outputs);
  double sum = 0.0;
  const auto visit = [&](std::int64_t first, std::span<const double> outputs,
                         std::span<double> output_gradient) {
    for (std::size_t n = 0; n * classes < outputs.size(); ++n) {
      const auto item = static_cast<std::size_t>(items[static_cast<std::size_t>(first) + n]);
      sum +=
          logProbability(outputs.subspan(n * classes, classes), problem.classes[item], weight,
                         output_gradient.empty() ? output_gradient
                                                 : output_gradient.subspan(n * classes, classes));
    }
  };
  if (gradient.empty()) {
    std::vector<double> outputs(items.size() * classes);
    networkOutputs(shape, parameters, inputs, outputs, scales);
    visit(0, outputs, {});
  } else {
    networkGradient(shape, parameters, inputs, visit, gradient, scales);
  }
  return weight * sum;
}

ClassLikelihood::ClassLikelihood(ClassProblem problem, NetworkShape shape)
    : problem_(std::move(problem)), shape_(std::move(shape)) {}

double ClassLikelihood::evaluate(std::span<const double> q, std::span<const std::int64_t> items,
                                 std::span<double> gradient, std::span<double> squared) const {
  std::ranges::fill(squared, 0.0);
  std::vector<double> of_item(squared.size());
  for (std::size_t n = 0; n < items.size() && !squared.empty(); ++n) {
    classLogLikelihood(problem_, items.subspan(n, 1), shape_, q, 1.0, of_item);
    for (std::size_t d = 0; d < squared.size(); ++d) {
      squared[d] += of_item[d] * of_item[d];
    }
  }
  return classLogLikelihood(problem_, items, shape_, q, 1.0, gradient);
}

}  // namespace dubito
