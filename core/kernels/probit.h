// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// The probit approximation of the mean probabilities of N Gaussians [N, K], in double: softmax(mu
/// / sqrt(1 + pi/8 diag Sigma)) for three classes or more, probitOfTwoClasses for two (theory,
/// section 5). Throws std::invalid_argument if shapes do not
/// match or K < 2. If the context is cancelled, the remaining items stay zero and the caller must
/// discard the result.
[[nodiscard]] Array<double> probitProbs(const LogitGaussians& gaussians, const RunContext& context);

}  // namespace dubito
