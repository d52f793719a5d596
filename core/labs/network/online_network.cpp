// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/online_network.h"

#include <algorithm>
#include <utility>

namespace dubito {

void ObservedBatch::clear() {
  inputs.clear();
  outputs.clear();
  targets.clear();
  weights.clear();
}

OnlineNetwork::OnlineNetwork(NetworkShape shape, double learning_rate, std::uint64_t seed,
                             std::uint64_t stream)
    : shape_(std::move(shape)),
      learning_rate_(learning_rate),
      parameters_(initialParameters(shape_, seed, stream)),
      gradient_(parameters_.size()),
      adam_(parameters_.size()) {}

double OnlineNetwork::step(const ObservedBatch& batch, InputScales scales) {
  const double share = 1.0 / static_cast<double>(batch.size());
  double loss = 0.0;
  networkGradient(
      shape_, parameters_, batch.inputs,
      [&](std::int64_t first, std::span<const double> values, std::span<double> gradient) {
        std::ranges::fill(gradient, 0.0);
        const std::int64_t count = std::ssize(values) / shape_.outputs;
        for (std::int64_t n = 0; n < count; ++n) {
          const auto item = static_cast<std::size_t>(first + n);
          const auto output = static_cast<std::size_t>(n * shape_.outputs + batch.outputs[item]);
          const double weight = batch.weights.empty() ? share : share * batch.weights[item];
          const double error = values[output] - batch.targets[item];
          loss += 0.5 * weight * error * error;
          gradient[output] = weight * error;
        }
      },
      gradient_, scales);
  adam_.step(learning_rate_, parameters_, gradient_);
  ++steps_;
  return loss;
}

void OnlineNetwork::outputs(std::span<const double> inputs, std::span<double> values,
                            InputScales scales) const {
  networkOutputs(shape_, parameters_, inputs, values, scales);
}

void lastHiddenLayer(const NetworkShape& shape, std::span<const double> parameters,
                     std::span<const double> inputs, std::span<double> values) {
  // The same hidden layers with an output layer that changes nothing.
  NetworkShape hidden = shape;
  hidden.outputs = shape.hidden.back();
  const std::int64_t first = shape.firstWeightOf(shape.layerCount() - 1);
  std::vector<double> all(static_cast<std::size_t>(hidden.parameterCount()), 0.0);
  std::copy_n(parameters.begin(), first, all.begin());
  for (std::int64_t unit = 0; unit < hidden.outputs; ++unit) {
    all[static_cast<std::size_t>(first + unit * (hidden.outputs + 1))] = 1.0;
  }
  networkOutputs(hidden, all, inputs, values);
}

}  // namespace dubito
