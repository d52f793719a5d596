// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/run_context.h"
#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// makePosterior with progress per layer; checks for cancellation between layers (kCancelled).
[[nodiscard]] Expected<LaplacePosterior> factorise(const LaplaceFactors& factors,
                                                   LaplaceStructure structure, RunContext& context);

}  // namespace dubito
