// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/dropout_masks.h"

namespace dubito {
namespace {

void uniformsOf(std::uint64_t seed, LabSite site, std::int64_t layer, std::uint32_t draw,
                std::span<double> values) {
  KeyedRandom(seed, site, static_cast<std::uint64_t>(layer)).uniforms(draw, values);
}

}  // namespace

DropoutMasks::DropoutMasks(const NetworkShape& shape, std::uint64_t seed, bool drops_inputs)
    : shape_(shape),
      seed_(seed),
      first_layer_(drops_inputs ? 0 : 1),
      factors_(static_cast<std::size_t>(shape.layerCount())),
      scales_(static_cast<std::size_t>(shape.layerCount())) {}

void DropoutMasks::uniformsOfStep(std::int64_t layer, std::uint32_t step,
                                  std::span<double> values) const {
  uniformsOf(seed_, LabSite::kDropoutMask, layer, step, values);
}

void DropoutMasks::uniformsOfFunction(std::int64_t layer, std::uint32_t draw,
                                      std::span<double> values) const {
  uniformsOf(seed_, LabSite::kFunctionDraw, layer, draw, values);
}

InputScales DropoutMasks::masks(double rate, LabSite site, std::uint32_t draw, std::int64_t items,
                                bool per_item) {
  for (std::int64_t layer = first_layer_; layer < shape_.layerCount(); ++layer) {
    std::vector<double>& factors = factors_[static_cast<std::size_t>(layer)];
    factors.resize(static_cast<std::size_t>(items * shape_.inputsOf(layer)));
    uniformsOf(seed_, site, layer, draw, factors);
    for (double& factor : factors) {
      factor = factor < rate ? 0.0 : 1.0 / (1.0 - rate);
    }
    scales_[static_cast<std::size_t>(layer)] = {.factors = factors, .per_item = per_item};
  }
  return scales_;
}

InputScales DropoutMasks::ofStep(double rate, std::uint32_t step, std::int64_t items) {
  return masks(rate, LabSite::kDropoutMask, step, items, true);
}

InputScales DropoutMasks::ofFunction(double rate, std::uint32_t draw) {
  return masks(rate, LabSite::kFunctionDraw, draw, 1, false);
}

DropoutWeightDecay dropoutWeightDecay(double drop_rate, double length_scale, double items,
                                      double noise_precision) {
  const double without_dropout = length_scale * length_scale / (2.0 * items * noise_precision);
  return {(1.0 - drop_rate) * without_dropout, without_dropout / (1.0 - drop_rate)};
}

void addDropoutDecay(const NetworkShape& shape, double drop_rate, double length_scale, double items,
                     double noise_precision, std::span<const double> parameters,
                     std::span<double> gradient, double& loss) {
  for (std::int64_t layer = 0; layer < shape.layerCount(); ++layer) {
    const double rate = layer == 0 ? 0.0 : drop_rate;
    const double decay =
        noise_precision * dropoutWeightDecay(rate, length_scale, items, noise_precision).of_stored;
    const std::int64_t end = shape.firstBiasOf(layer) + shape.outputsOf(layer);
    for (std::int64_t p = shape.firstWeightOf(layer); p < end; ++p) {
      const auto i = static_cast<std::size_t>(p);
      loss += decay * parameters[i] * parameters[i];
      gradient[i] += 2.0 * decay * parameters[i];
    }
  }
}

}  // namespace dubito
