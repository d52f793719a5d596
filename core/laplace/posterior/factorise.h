// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/run_context.h"
#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// makePosterior, telling the layers as progress; kCancelled, which is looked for between them.
[[nodiscard]] Expected<LaplacePosterior> factorise(const LaplaceFactors& factors,
                                                   LaplaceStructure structure, RunContext& context);

}  // namespace dubito
