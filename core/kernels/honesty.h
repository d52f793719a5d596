// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// How far the closed forms lie from the average over draws of the same Gaussian, item by item.
struct HonestyGauge {
  Array<double> bridge;  ///< [N], max_k |p_bridge - p_mc|
  Array<double> probit;  ///< [N], max_k |p_probit - p_mc|
  Array<double>
      divergence;  ///< [N] for K = 3, else [0]: densityDivergence, NaN where there is none
};

/// Whether the densities over so many classes are compared as well.
[[nodiscard]] constexpr bool givesDivergence(std::int64_t classes) {
  return classes == 3;
}

/// The gauge of N Gaussians, with `samples` draws each as logitNormalMc makes them, which alone
/// differ from the exact means by about 1 / (2 sqrt(samples)) at most. Throws as logitNormalMc.
/// Where the context is cancelled the caller drops the result.
[[nodiscard]] HonestyGauge honestyGauge(const LogitGaussians& gaussians,
                                        std::span<const std::int64_t> item_ids,
                                        BridgeVariant variant, std::int64_t samples,
                                        std::uint64_t seed, const RunContext& context);
/// The same where the averages [N, K] over the draws are there already.
[[nodiscard]] HonestyGauge honestyGauge(const LogitGaussians& gaussians,
                                        const Array<double>& drawn_probs, BridgeVariant variant,
                                        const RunContext& context);

}  // namespace dubito
