// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// Posterior precisions [O, D] of a layer's weights in its eigenbasis: n dg_o da_d + tau for
/// "kron", (sqrt(n) dg_o + sqrt(tau)) (sqrt(n) da_d + sqrt(tau)) for "kron-damped", n h_od + tau
/// for "diag". The structure "full" is not supported.
[[nodiscard]] at::Tensor precisionTable(const LayerPosterior& layer, LaplaceStructure structure,
                                        const LaplaceScale& scale);

}  // namespace dubito
