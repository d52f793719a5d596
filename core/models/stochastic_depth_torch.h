// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <vector>

namespace dubito {

/// A product that drops whole items (Huang et al. 2016, "Deep Networks with Stochastic Depth"):
/// x * bernoulli(keep) / keep with one number per item, as torchvision's StochasticDepth and timm's
/// DropPath write it.
struct StochasticDepth {
  torch::jit::Node* product = nullptr;
  torch::jit::Value* x = nullptr;
  std::optional<double> drop_rate;  ///< in training; nothing: computed while running
  bool is_scaled = false;           ///< what is kept is divided by the keep rate
  /// The nodes that write into the noise, last first; all others that make it are free of effects.
  std::vector<torch::jit::Node*> writers;
};

/// The stochastic depth that `node` is. Also one number for the whole batch counts ("batch" mode):
/// of each item alone it is the same.
[[nodiscard]] std::optional<StochasticDepth> stochasticDepth(const torch::jit::Module& module,
                                                             torch::jit::Node* node);

/// Puts `result` in the place of the product, and destroys product and noise.
void replaceStochasticDepth(const StochasticDepth& depth, torch::jit::Value* result);

}  // namespace dubito
