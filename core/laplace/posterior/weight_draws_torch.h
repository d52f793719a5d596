// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// Reserved site id in the key of the noise of weights; real sites are >= 0.
inline constexpr std::int64_t kWeightNoiseSite = -3;

/// Draw number `draw` >= 0 of a layer's deviation from its trained weights under the posterior, [O,
/// D] in double with the bias as the last of D: the noise E times the symmetric square root of the
/// covariance, Ug ((Ug^T E Ua) / sqrt(precision)) Ua^T for a Kronecker structure, E /
/// sqrt(precision) for a diagonal one. (Other roots would depend on the signs of eigenvectors.)
///
/// E [O, D] is standard normal noise in the layout of logit_normal_mc.h, row-major, with key
/// siteKey(seed, kWeightNoiseSite, number of the layer), pair 0, and the draw in place of the item
/// id.
[[nodiscard]] at::Tensor drawWeights(const LaplacePosterior& posterior, std::size_t layer,
                                     const LaplaceScale& scale, std::int64_t draw,
                                     std::uint64_t seed);

}  // namespace dubito
