// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Function applied to the units of hidden layers.
enum class Activation {
  kTanh,
  kRelu,
};

inline constexpr std::int64_t kMaxHiddenLayers = 3;
inline constexpr std::int64_t kMaxHiddenUnits = 1024;

/// A small fully connected network: hidden layers with one activation, then a linear output.
///
/// Its parameters are one flat vector. Layer by layer: the weights [outputs of the layer, inputs of
/// the layer] in row-major order, then the biases [outputs of the layer].
struct NetworkShape {
  std::int64_t inputs = 1;                  ///< width of an input, >= 1
  std::vector<std::int64_t> hidden = {50};  ///< units of each hidden layer, 1 to 3 layers
  std::int64_t outputs = 1;                 ///< width of an output, >= 1
  Activation activation = Activation::kTanh;

  /// Number of affine layers: hidden layers and the output.
  [[nodiscard]] std::int64_t layerCount() const {
    return static_cast<std::int64_t>(hidden.size()) + 1;
  }
  /// Width of the inputs and of the outputs of `layer`, which counts from 0.
  [[nodiscard]] std::int64_t inputsOf(std::int64_t layer) const;
  [[nodiscard]] std::int64_t outputsOf(std::int64_t layer) const;
  /// Position of the first weight and of the first bias of `layer` among the parameters.
  [[nodiscard]] std::int64_t firstWeightOf(std::int64_t layer) const;
  [[nodiscard]] std::int64_t firstBiasOf(std::int64_t layer) const;
  /// P, the length of the vector of parameters.
  [[nodiscard]] std::int64_t parameterCount() const { return firstWeightOf(layerCount()); }
  /// kInvalidArgument if a width or the number of hidden layers is out of range.
  [[nodiscard]] Status check() const;

  bool operator==(const NetworkShape&) const = default;
};

/// Random parameters to start from: weights N(0, gain / inputs of the layer) with gain 1 for tanh
/// and 2 for ReLU. The biases of the first layer are standard normal, so that the units differ
/// along the inputs; all others are 0. Depends on shape, seed and stream (member of an ensemble,
/// chain) alone.
[[nodiscard]] std::vector<double> initialParameters(const NetworkShape& shape, std::uint64_t seed,
                                                    std::uint64_t stream);

/// The start of Glorot and Bengio (2010), that of Keras: weights uniform within +-sqrt(6 / (inputs
/// + outputs of the layer)), biases 0.
[[nodiscard]] std::vector<double> glorotParameters(const NetworkShape& shape, std::uint64_t seed,
                                                   std::uint64_t stream);

}  // namespace dubito
