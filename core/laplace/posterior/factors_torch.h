// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string>

#include "core/laplace/posterior/factors.h"

namespace dubito {

/// Factors of a layer of which nothing is summed yet. `weight` is [O, ...] with D elements a row
/// (the bias is counted among the inputs), `bias` [O] or undefined.
[[nodiscard]] LayerFactors emptyLayer(const std::string& name, const at::Tensor& weight,
                                      const at::Tensor& bias);

/// Adds B items with their log probabilities [B, K] in double: their number, and log p(label) of
/// those whose true class is not -1.
void countItems(const at::Tensor& log_probs, std::span<const std::int64_t> labels,
                LaplaceFactors& factors);

}  // namespace dubito
