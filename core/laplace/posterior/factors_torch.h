// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string>

#include "core/laplace/posterior/factors.h"

namespace dubito {

/// The factors of a layer, with its name and sizes set and no items added. `weight` is [O, ...],
/// `bias` [O] or undefined; a bias adds one input.
[[nodiscard]] LayerFactors emptyLayer(const std::string& name, const at::Tensor& weight,
                                      const at::Tensor& bias);

/// Adds B items to the counts and the log likelihood in `factors`, given their log probabilities
/// [B, K] in double. Items with label -1 count as unlabelled.
void countItems(const at::Tensor& log_probs, std::span<const std::int64_t> labels,
                LaplaceFactors& factors);

}  // namespace dubito
