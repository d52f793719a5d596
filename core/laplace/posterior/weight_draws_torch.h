// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// Reserved site id in the key of the weight noise; real sites are >= 0.
inline constexpr std::int64_t kWeightNoiseSite = -3;

/// A random deviation of a layer's weights from their trained values, drawn from the posterior: [O,
/// D] in double, with the bias in the last column. `draw` >= 0 is the number of the draw.
///
/// The deviation is the noise E times the symmetric square root of the covariance: Ug ((Ug^T E Ua)
/// / sqrt(precision)) Ua^T for a Kronecker structure, E / sqrt(precision) for a diagonal one.
/// (Other square roots would depend on the signs of the eigenvectors.)
///
/// E [O, D] is standard normal noise in the layout of logit_normal_mc.h, row-major, with key
/// siteKey(seed, kWeightNoiseSite, layer), pair 0, and `draw` in place of the item id.
[[nodiscard]] at::Tensor drawWeightDeviation(const LaplacePosterior& posterior, std::size_t layer,
                                             const LaplaceScale& scale, std::int64_t draw,
                                             std::uint64_t seed);

}  // namespace dubito
