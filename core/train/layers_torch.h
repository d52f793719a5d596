// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Generator.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/train/dropout_layers_torch.h"
#include "core/train/train.h"

namespace dubito {

// TorchScript source of the forward methods.
inline constexpr const char* kConvolutionSource = R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.conv2d(x, self.weight, self.bias)
)";
inline constexpr const char* kLinearSource = R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(x, self.weight, self.bias)
)";

/// An empty module in training mode; `name` is the name of its type.
[[nodiscard]] torch::jit::Module emptyModule(const std::string& name);

/// A layer with a weight and, if `with_bias`, a bias of 0. The weights are normal with variance 1 /
/// (3 fan-in), torch's own default.
[[nodiscard]] torch::jit::Module weightedLayer(const std::string& name,
                                               const std::vector<std::int64_t>& weight_shape,
                                               const std::string& source,
                                               const at::Generator& generator,
                                               bool with_bias = true);

/// The share of a batch's statistics in the running ones.
inline constexpr double kBatchNormMomentum = 0.1;

/// Batch normalisation of `channels` maps: scale 1, shift 0, running mean 0 and variance 1 with
/// momentum kBatchNormMomentum; inference uses the running statistics.
[[nodiscard]] torch::jit::Module batchNormLayer(const std::string& name, std::int64_t channels);

/// `count` times `width`, rounded; at least 1.
[[nodiscard]] std::int64_t scaled(std::int64_t count, double width);

/// The residual network of TrainOptions; see buildNetwork.
[[nodiscard]] Expected<torch::jit::Module> buildResidualNetwork(
    const TrainOptions& options, const std::vector<std::int64_t>& input_shape, std::int64_t classes,
    const at::Generator& generator, DropoutDesign& dropout);

}  // namespace dubito
