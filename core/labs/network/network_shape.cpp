// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/labs/random/keyed_random.h"

namespace dubito {

std::int64_t NetworkShape::inputsOf(std::int64_t layer) const {
  return layer == 0 ? inputs : hidden[static_cast<std::size_t>(layer - 1)];
}

std::int64_t NetworkShape::outputsOf(std::int64_t layer) const {
  const auto index = static_cast<std::size_t>(layer);
  return index < hidden.size() ? hidden[index] : outputs;
}

std::int64_t NetworkShape::firstWeightOf(std::int64_t layer) const {
  std::int64_t position = 0;
  for (std::int64_t before = 0; before < layer; ++before) {
    position += (inputsOf(before) + 1) * outputsOf(before);
  }
  return position;
}

std::int64_t NetworkShape::firstBiasOf(std::int64_t layer) const {
  return firstWeightOf(layer) + inputsOf(layer) * outputsOf(layer);
}

Status NetworkShape::check() const {
  const auto layers = static_cast<std::int64_t>(hidden.size());
  if (inputs < 1 || outputs < 1 || layers < 1 || layers > kMaxHiddenLayers) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the network has {} inputs, {} hidden layers and {} outputs; use at "
                            "least one input and output and 1 to {} hidden layers",
                            inputs, layers, outputs, kMaxHiddenLayers));
  }
  const auto [min, max] = std::ranges::minmax_element(hidden);
  if (*min < 1 || *max > kMaxHiddenUnits) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("a hidden layer has {} units; use 1 to {}",
                                                         *min < 1 ? *min : *max, kMaxHiddenUnits));
  }
  return {};
}

std::vector<double> initialParameters(const NetworkShape& shape, std::uint64_t seed,
                                      std::uint64_t stream) {
  std::vector<double> parameters(static_cast<std::size_t>(shape.parameterCount()), 0.0);
  const KeyedRandom random(seed, LabSite::kInitialWeights, stream);
  random.normals(0, parameters);
  const double gain = shape.activation == Activation::kRelu ? 2.0 : 1.0;
  for (std::int64_t layer = 0; layer < shape.layerCount(); ++layer) {
    const double scale = std::sqrt(gain / static_cast<double>(shape.inputsOf(layer)));
    const auto first = parameters.begin() + shape.firstWeightOf(layer);
    const auto bias = parameters.begin() + shape.firstBiasOf(layer);
    std::for_each(first, bias, [scale](double& weight) { weight *= scale; });
    if (layer > 0) {
      std::fill_n(bias, shape.outputsOf(layer), 0.0);
    }
  }
  return parameters;
}

std::vector<double> glorotParameters(const NetworkShape& shape, std::uint64_t seed,
                                     std::uint64_t stream) {
  std::vector<double> parameters(static_cast<std::size_t>(shape.parameterCount()));
  KeyedRandom(seed, LabSite::kInitialWeights, stream).uniforms(0, parameters);
  for (std::int64_t layer = 0; layer < shape.layerCount(); ++layer) {
    const double limit =
        std::sqrt(6.0 / static_cast<double>(shape.inputsOf(layer) + shape.outputsOf(layer)));
    const auto first = parameters.begin() + shape.firstWeightOf(layer);
    const auto bias = parameters.begin() + shape.firstBiasOf(layer);
    std::for_each(first, bias, [limit](double& weight) { weight = limit * (2.0 * weight - 1.0); });
    std::fill_n(bias, shape.outputsOf(layer), 0.0);
  }
  return parameters;
}

}  // namespace dubito
