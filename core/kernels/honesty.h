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
  Array<double> bridge;  ///< [N], max_k |p_bridge - p_mc|; NaN for items that were left out
  Array<double> probit;  ///< [N], max_k |p_probit - p_mc|; NaN for the same items
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

/// Stands for a dropout site, of which there is none below 0, in the key of that choice.
inline constexpr std::int64_t kGaugedItemsSite = -5;
/// Whether an item is among the `share` of all items that a sampled gauge holds: where the first
/// word of the Philox block with the key siteKey(seed, kGaugedItemsSite) and the counter (0, 0,
/// item id low, item id high) is below share 2^32. So neither batch nor order matter.
[[nodiscard]] bool isGauged(std::uint64_t seed, std::int64_t item_id, double share);
/// The gauge with draws of its own of those items alone; that of the others is NaN.
[[nodiscard]] HonestyGauge sampledHonestyGauge(const LogitGaussians& gaussians,
                                               std::span<const std::int64_t> item_ids,
                                               BridgeVariant variant, std::int64_t samples,
                                               double share, std::uint64_t seed,
                                               const RunContext& context);

}  // namespace dubito
