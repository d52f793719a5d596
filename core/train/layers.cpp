// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/train/layers_torch.h"

namespace dubito {

using torch::jit::Module;

namespace {

constexpr const char* kBatchNorm = R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var,
                            self.training, {}, 1e-05, True)
)";

}  // namespace

Module emptyModule(const std::string& name) {
  Module module(name);
  module.register_attribute("training", c10::BoolType::get(), true);
  return module;
}

// Variance 1 / (3 fan-in), torch's own default: He's, which is six times as large, diverges here,
// where dropout and pooling increase the activations further.
Module weightedLayer(const std::string& name, const std::vector<std::int64_t>& weight_shape,
                     const std::string& source, const at::Generator& generator, bool with_bias) {
  Module layer = emptyModule(name);
  const std::int64_t fan_in = std::accumulate(weight_shape.begin() + 1, weight_shape.end(),
                                              std::int64_t{1}, std::multiplies<>());
  const double deviation = std::sqrt(1.0 / (3.0 * static_cast<double>(fan_in)));
  at::Tensor weight = at::randn(weight_shape, generator);
  weight.mul_(deviation);
  layer.register_parameter("weight", weight.requires_grad_(true), false);
  if (with_bias) {
    layer.register_parameter("bias", at::zeros({weight_shape[0]}).requires_grad_(true), false);
  }
  layer.define(source);
  return layer;
}

Module batchNormLayer(const std::string& name, std::int64_t channels) {
  Module layer = emptyModule(name);
  layer.register_parameter("weight", at::ones({channels}).requires_grad_(true), false);
  layer.register_parameter("bias", at::zeros({channels}).requires_grad_(true), false);
  layer.register_buffer("running_mean", at::zeros({channels}));
  layer.register_buffer("running_var", at::ones({channels}));
  layer.define(fmt::format(kBatchNorm, kBatchNormMomentum));
  return layer;
}

std::int64_t scaled(std::int64_t count, double width) {
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(count) * width));
}

}  // namespace dubito
