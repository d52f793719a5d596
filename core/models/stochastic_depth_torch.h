// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <vector>

namespace dubito {

/// A product that drops whole items (Huang et al. 2016, "Deep Networks with Stochastic Depth"): x *
/// bernoulli(keep) / keep with one number per item, as in torchvision's StochasticDepth and timm's
/// DropPath.
struct StochasticDepth {
  torch::jit::Node* product = nullptr;
  torch::jit::Value* x = nullptr;
  std::optional<double> drop_rate;  ///< in training; nothing if computed at run time
  bool is_scaled = false;           ///< kept items are divided by the keep rate
  /// The nodes that write to the noise, last first; all others that compute it have no side
  /// effects.
  std::vector<torch::jit::Node*> writers;
};

/// Recognises `node` as stochastic depth. One number for the whole batch ("batch" mode) counts too:
/// for a single item it is the same.
[[nodiscard]] std::optional<StochasticDepth> stochasticDepth(const torch::jit::Module& module,
                                                             torch::jit::Node* node);

/// Replaces the product by `result`, and destroys product and noise.
void replaceStochasticDepth(const StochasticDepth& depth, torch::jit::Value* result);

}  // namespace dubito
