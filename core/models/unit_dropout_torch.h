// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <vector>

namespace dubito {

/// A multiplication node that drops every unit at a rate of its own:
///
///     keep = 1 - self.drop_rates                     # [D]
///     kept = torch.bernoulli(keep.expand(x.shape))
///     x = x * (kept / keep)
///
/// for the last axis of x, or for the channels of images [N, D, H, W] with
///
///     kept = torch.bernoulli(keep.expand([x.size(0), x.size(1)]))
///     x = x * (kept / keep).unsqueeze(-1).unsqueeze(-1)
struct UnitDropout {
  torch::jit::Node* product = nullptr;
  torch::jit::Value* x = nullptr;
  torch::jit::Value* drop_rates = nullptr;  ///< an attribute of the network, [D]
  std::vector<double> rates;                ///< [D]
  bool is_feature = false;                  ///< the units are the channels, axis 1
};

/// Matches `node` against the pattern; nullopt if it does not match.
[[nodiscard]] std::optional<UnitDropout> unitDropout(const torch::jit::Module& module,
                                                     torch::jit::Node* node);

}  // namespace dubito
