// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Generator.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <vector>

#include "core/train/dropout_layers_torch.h"
#include "core/train/head/head_options.h"

namespace dubito {

/// Features are moved by `mean` and divided by `scale`, as in FeatureFrame, before the first layer.
struct HeadFrame {
  std::vector<float> mean;  ///< [Q]
  float scale = 1.0F;
};

/// A head of HeadOptions::layers linear layers ("fc1", "fc2", ...) with ReLUs between them and a
/// dropout ("dropout1", ...) before each, which takes features [N, Q] and returns logits [N,
/// classes]. In training mode; fresh weights from `generator`.
[[nodiscard]] torch::jit::Module buildHeadNetwork(const HeadOptions& options,
                                                  const HeadFrame& frame, std::int64_t classes,
                                                  const at::Generator& generator,
                                                  DropoutDesign& dropout);

}  // namespace dubito
