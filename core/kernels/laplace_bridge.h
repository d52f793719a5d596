// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// What the Dirichlets of N items say; see DirichletSummary. Entropies in nats.
struct DirichletMoments {
  Array<double> mean_probs;          ///< [N, K], alpha_k / alpha_0
  Array<double> entropy;             ///< [N], entropy of the mean
  Array<double> expected_entropy;    ///< [N]
  Array<double> mutual_information;  ///< [N], never negative
  Array<double> confidence;          ///< [N], largest mean probability
  Array<double> log_rest;            ///< [N], log(1 - confidence) with all its digits
};

/// The Laplace Bridge (theory, section 6) of N Gaussians: log alpha [N, K], to 1e-5 of 1 + |log
/// alpha| of the exact value for the inputs as they are given. Gaps of any size between the means,
/// variances from 0 on and singular covariances are fine; see bridgeLogAlpha. An item's result does
/// not depend on the others nor on the number of threads. Where the context's device is a GPU, it
/// computes bridge-raw, and bridge-centred of diagonal covariances; all else is the processor's.
/// Throws std::invalid_argument where shapes do not fit or K < 2. Where the context is cancelled
/// the rest of the items stays zero: the caller drops the result.
[[nodiscard]] Array<float> laplaceBridge(const LogitGaussians& gaussians, BridgeVariant variant,
                                         const RunContext& context);

/// Moments of the Dirichlets with log alpha [N, K], K >= 2, in the stable forms of
/// summariseDirichlet; relative error below 1e-9 whatever alpha is. Throws and is cancelled as
/// laplaceBridge.
[[nodiscard]] DirichletMoments dirichletMoments(const Array<float>& log_alpha,
                                                const RunContext& context);

}  // namespace dubito
