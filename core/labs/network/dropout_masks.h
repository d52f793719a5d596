// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/network/network_pass.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {

/// Factors on the outputs of the hidden layers and, if wanted, on the inputs of the network; a
/// single input should not be dropped, since that would drop the whole item. Inverted dropout: kept
/// units are multiplied by 1 / (1 - rate).
class DropoutMasks {
 public:
  DropoutMasks(const NetworkShape& shape, std::uint64_t seed, bool drops_inputs = false);

  /// Masks for a training step, one per item of a batch of `items`.
  [[nodiscard]] InputScales ofStep(double rate, std::uint32_t step, std::int64_t items);
  /// Masks of function draw `draw`, the same for all inputs.
  [[nodiscard]] InputScales ofFunction(double rate, std::uint32_t draw);

  /// Uniform numbers behind the masks of a layer: [items, inputs of the layer] for a step,
  /// [inputs of the layer] for a function.
  void uniformsOfStep(std::int64_t layer, std::uint32_t step, std::span<double> values) const;
  void uniformsOfFunction(std::int64_t layer, std::uint32_t draw, std::span<double> values) const;

 private:
  [[nodiscard]] InputScales masks(double rate, LabSite site, std::uint32_t draw, std::int64_t items,
                                  bool per_item);

  const NetworkShape shape_;
  std::uint64_t seed_;
  std::int64_t first_layer_;  ///< whose inputs are dropped
  std::vector<std::vector<double>> factors_;
  std::vector<InputScale> scales_;
};

/// Weight decay that ties dropout to a Gaussian process with length scale l and noise precision
/// tau, for the loss mean_n 1/2 |y - f|^2 + lambda |W|^2 (theory, section 4).
struct DropoutWeightDecay {
  double of_unscaled = 0.0;  ///< for weights of a mask without rescaling (Gal and Ghahramani 2016)
  double of_stored = 0.0;    ///< for the stored weights of inverted dropout
};
[[nodiscard]] DropoutWeightDecay dropoutWeightDecay(double drop_rate, double length_scale,
                                                    double items, double noise_precision);

/// Adds the weight decay of all layers, times `noise_precision` because the loss is so, to `loss`
/// and `gradient`. Nothing is dropped before the first layer.
void addDropoutDecay(const NetworkShape& shape, double drop_rate, double length_scale, double items,
                     double noise_precision, std::span<const double> parameters,
                     std::span<double> gradient, double& loss);

}  // namespace dubito
