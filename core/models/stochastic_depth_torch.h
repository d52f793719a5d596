// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <vector>

namespace dubito {

/// A multiplication node that implements stochastic depth (Huang et al. 2016, "Deep Networks with
/// Stochastic Depth"), as in torchvision's StochasticDepth and timm's DropPath. It zeroes the
/// tensor for randomly chosen items: x * bernoulli(keep) / keep, with one random number per item.
struct StochasticDepth {
  torch::jit::Node* product = nullptr;
  torch::jit::Value* x = nullptr;
  std::optional<double> drop_rate;  ///< in training mode; nullopt if only known at run time
  bool is_scaled = false;           ///< kept items are divided by the keep rate
  /// In-place nodes that modify the noise tensor, last one first. The other nodes that compute the
  /// noise have no side effects.
  std::vector<torch::jit::Node*> writers;
};

/// Matches `node` against the stochastic-depth pattern; nullopt if it does not match. One random
/// number for the whole batch ("batch" mode) also matches, because it is equivalent for a single
/// item.
[[nodiscard]] std::optional<StochasticDepth> stochasticDepth(const torch::jit::Module& module,
                                                             torch::jit::Node* node);

/// Replaces the product with `result` and destroys the product and the noise.
void replaceStochasticDepth(const StochasticDepth& depth, torch::jit::Value* result);

}  // namespace dubito
