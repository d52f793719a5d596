// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// The "honesty gauge": approximation error of the closed forms for each item, relative to an
/// average over draws from the same Gaussian.
struct HonestyGauge {
  Array<double> bridge;      ///< [N], max_k |p_bridge - p_mc|; NaN for items that are not gauged
  Array<double> probit;      ///< [N], max_k |p_probit - p_mc|; NaN for the same items
  Array<double> divergence;  ///< [N] for K = 3, else empty: see densityDivergence; NaN if undefined
};

/// Whether HonestyGauge::divergence is computed for this number of classes.
[[nodiscard]] constexpr bool hasDivergence(std::int64_t classes) {
  return classes == 3;
}

/// The gauge of N Gaussians, compared with `samples` draws from each (see logitNormalMc). The
/// sampling error alone is at most about 1 / (2 sqrt(samples)). Throws like logitNormalMc. If the
/// context is cancelled, the caller must discard the result.
[[nodiscard]] HonestyGauge honestyGauge(const LogitGaussians& gaussians,
                                        std::span<const std::int64_t> item_ids,
                                        BridgeVariant variant, std::int64_t samples,
                                        std::uint64_t seed, const RunContext& context);
/// As above, given the averages `drawn_probs` [N, K] over the draws.
[[nodiscard]] HonestyGauge honestyGauge(const LogitGaussians& gaussians,
                                        const Array<double>& drawn_probs, BridgeVariant variant,
                                        const RunContext& context);

/// Reserved site id in the key that selects the items of sampledHonestyGauge; real sites are >= 0.
inline constexpr std::int64_t kGaugeSelectionSite = -5;
/// Whether sampledHonestyGauge includes this item for this `share` of all items: true if the first
/// word of the Philox block with key siteKey(seed, kGaugeSelectionSite) and counter (0, 0, item id
/// low, item id high) is below share 2^32. The result depends neither on the batch nor on the order
/// of the items.
[[nodiscard]] bool isGauged(std::uint64_t seed, std::int64_t item_id, double share);
/// The gauge of the items selected by isGauged, computed like honestyGauge; NaN for all other
/// items.
[[nodiscard]] HonestyGauge sampledHonestyGauge(const LogitGaussians& gaussians,
                                               std::span<const std::int64_t> item_ids,
                                               BridgeVariant variant, std::int64_t samples,
                                               double share, std::uint64_t seed,
                                               const RunContext& context);

}  // namespace dubito
