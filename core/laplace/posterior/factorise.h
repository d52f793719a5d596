// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/run_context.h"
#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// Like makePosterior, but reports progress per layer. Fails with kCancelled if the context is
/// cancelled between layers.
[[nodiscard]] Expected<LaplacePosterior> factorise(const LaplaceFactors& factors,
                                                   LaplaceStructure structure, RunContext& context);

}  // namespace dubito
