// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// Moments of the Dirichlets of N items; see DirichletSummary. Entropies in nats.
struct DirichletMoments {
  Array<double> mean_probs;          ///< [N, K], alpha_k / alpha_0
  Array<double> entropy;             ///< [N], entropy of the mean
  Array<double> expected_entropy;    ///< [N]
  Array<double> mutual_information;  ///< [N], never negative
  Array<double> confidence;          ///< [N], largest mean probability
  Array<double> log_rest;            ///< [N], log(1 - confidence) to full precision
};

/// The Laplace bridge (theory, section 6) of N Gaussians: log alpha [N, K], within 1e-5 (1 + |log
/// alpha|) of the exact value for the given inputs. Gaps of any size between the means, zero
/// variances and singular covariances are supported; see bridgeLogAlpha. An item's result depends
/// neither on the other items nor on the number of threads. If the context's device is a GPU, it is
/// used for bridge-raw and, if the covariance is diagonal, for bridge-centred; all other cases run
/// on the CPU. Throws std::invalid_argument if shapes do not match or K < 2. If the context is
/// cancelled, the remaining items stay zero and the caller must discard the result.
[[nodiscard]] Array<float> laplaceBridge(const LogitGaussians& gaussians, BridgeVariant variant,
                                         const RunContext& context);

/// Moments of the Dirichlets with log alpha [N, K], K >= 2, computed by the stable formulas of
/// summariseDirichlet with a relative error below 1e-9 for any alpha. Throws std::invalid_argument
/// and handles cancellation like laplaceBridge.
[[nodiscard]] DirichletMoments dirichletMoments(const Array<float>& log_alpha,
                                                const RunContext& context);

}  // namespace dubito
