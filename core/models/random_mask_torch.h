// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <vector>

namespace dubito {

/// Nodes that zero randomly chosen parts of a tensor x. With one random number per item, that is
/// stochastic depth (Huang et al. 2016, "Deep Networks with Stochastic Depth"): x * bernoulli(keep)
/// / keep, as in torchvision's StochasticDepth and timm's DropPath, x / keep * floor(keep + rand),
/// as in transformers, or x * (rand < keep) / keep, as in ONNX files. With a number per element or
/// channel, it is dropout that is written by hand, also as where(rand < keep, x / keep, 0) or
/// x.masked_fill(rand < drop, 0) / keep. The division by the keep rate may stand anywhere, or be
/// absent.
struct RandomMask {
  torch::jit::Node* product = nullptr;  ///< whose output is the result
  torch::jit::Value* x = nullptr;
  torch::jit::Node* place = nullptr;    ///< which reads x
  std::optional<double> drop_rate;      ///< in training mode; nullopt if only known at run time
  bool is_scaled = false;               ///< what is kept is divided by the keep rate
  bool is_off_in_inference = false;     ///< the program then keeps everything
  bool is_per_item = false;             ///< stochastic depth
  torch::jit::Node* drawing = nullptr;  ///< draws numbers of the shape of the mask
  /// Nodes that compute the mask, last one first; some write in place.
  std::vector<torch::jit::Node*> writers;
};

/// The random mask that `node` applies; nullopt if it applies none. One random number for the whole
/// batch ("batch" mode of stochastic depth) counts as one per item, because it is equivalent for a
/// single item.
[[nodiscard]] std::optional<RandomMask> randomMask(const torch::jit::Module& module,
                                                   torch::jit::Node* node);

/// Replaces the product with `result` and destroys the product and the mask.
void replaceRandomMask(const RandomMask& mask, torch::jit::Value* result);

}  // namespace dubito
