// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <vector>

namespace dubito {

/// Nodes that implement stochastic depth (Huang et al. 2016, "Deep Networks with Stochastic
/// Depth"). They zero the tensor for randomly chosen items, with one random number per item: x *
/// bernoulli(keep) / keep, as in torchvision's StochasticDepth and timm's DropPath, x / keep *
/// floor(keep + rand), as in transformers, or x * (rand < keep) / keep, as in ONNX files. The
/// division by the keep rate may stand anywhere, or be absent.
struct StochasticDepth {
  torch::jit::Node* product = nullptr;  ///< whose output is the result
  torch::jit::Value* x = nullptr;
  torch::jit::Node* place = nullptr;  ///< which reads x
  std::optional<double> drop_rate;    ///< in training mode; nullopt if only known at run time
  bool is_scaled = false;             ///< kept items are divided by the keep rate
  bool is_off_in_inference = false;   ///< the program then keeps everything
  /// Nodes that compute the noise, last one first; some write in place.
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
