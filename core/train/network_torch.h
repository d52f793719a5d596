// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Generator.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/train/dropout_layers_torch.h"
#include "core/train/train.h"

namespace dubito {

/// Compiles the network described by `options` from source text, with fresh weights from
/// `generator` (normal, variance 1 / (3 fan-in)). `input_shape` is that of one item, [C, H, W] or
/// [F]. Layers are submodules with the names shown by an audit: conv1, conv2, dropout1, fc1, ...
/// The dropout layers come from `dropout`. The result is in training mode. Error for a lenet on
/// vectors or images smaller than 16 x 16, and for a resnet on vectors or images smaller than 8
/// x 8.
[[nodiscard]] Expected<torch::jit::Module> buildNetwork(
    const TrainOptions& options, const std::vector<std::int64_t>& input_shape, std::int64_t classes,
    const at::Generator& generator, DropoutDesign& dropout);

/// The dropout that `options` ask for.
[[nodiscard]] DropoutDesign dropoutDesign(const TrainOptions& options);

}  // namespace dubito
