// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/labs/classification/class_method.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/network_pass.h"
#include "core/labs/sampling/item_likelihood.h"

namespace dubito {

/// The network that all methods share by default: 2 inputs, two hidden layers of ReLU, K logits.
[[nodiscard]] NetworkOptions defaultClassNetwork();

/// The shape that `options` describe, for two inputs.
[[nodiscard]] NetworkShape classNetworkShape(const NetworkOptions& options, std::int64_t classes);

/// Fields of a network without those of its training.
[[nodiscard]] std::vector<Field> shapeFields(NetworkOptions& options);

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

/// kInvalidArgument, with the remedy, if passes over `problem` would take too long to be repeated
/// thousands of times.
[[nodiscard]] Status checkClassSize(const ClassProblem& problem, std::int64_t max_points);

}  // namespace dubito
