// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string>

#include "core/laplace/posterior/factors.h"

namespace dubito {

/// Factors of a layer before any item is added. `weight` is [O, ...], `bias` [O] or undefined; a
/// bias counts as one more input.
[[nodiscard]] LayerFactors emptyLayer(const std::string& name, const at::Tensor& weight,
                                      const at::Tensor& bias);

/// Adds B items with log probabilities [B, K] in double: their number, and log p(label) of those
/// with a label other than -1.
void countItems(const at::Tensor& log_probs, std::span<const std::int64_t> labels,
                LaplaceFactors& factors);

}  // namespace dubito
