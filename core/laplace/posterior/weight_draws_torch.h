// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// Reserved site id for the keys of weight noise; real sites are >= 0.
inline constexpr std::int64_t kWeightNoiseSite = -3;

/// Draw number `draw` >= 0 of a layer's deviation from its trained weights under the posterior, [O,
/// D] in double, with the bias in the last column: the noise E times the symmetric square root of
/// the covariance, Ug ((Ug^T E Ua) / sqrt(precision)) Ua^T for a Kronecker structure, E /
/// sqrt(precision) for a diagonal one. (Other roots would depend on the signs of eigenvectors.)
///
/// E [O, D] is standard normal noise in the layout of logit_normal_mc.h, row-major, with key
/// siteKey(seed, kWeightNoiseSite, layer), pair 0, and the draw in place of the item
/// id.
[[nodiscard]] at::Tensor drawWeightDeviation(const LaplacePosterior& posterior, std::size_t layer,
                                             const LaplaceScale& scale, std::int64_t draw,
                                             std::uint64_t seed);

}  // namespace dubito
