// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/metrics/selective.h"

namespace dubito {

Curve rocAfterReferral(std::span<const double> scores, std::span<const std::uint8_t> positive,
                       std::span<const double> uncertainty, double referred_share) {
  if (scores.size() != uncertainty.size()) {
    throw std::invalid_argument("rocAfterReferral: as many uncertainties as scores are needed");
  }
  if (std::any_of(uncertainty.begin(), uncertainty.end(), [](double u) { return std::isnan(u); })) {
    throw std::invalid_argument("rocAfterReferral: an uncertainty is NaN");
  }
  const auto n = static_cast<std::int64_t>(scores.size());
  const std::int64_t kept = n - floorOfShare(referred_share, n);
  if (kept == 0) {
    return rocCurve({});
  }
  std::vector<double> sorted(uncertainty.begin(), uncertainty.end());
  std::sort(sorted.begin(), sorted.end());
  const double cut = sorted[static_cast<std::size_t>(kept - 1)];
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), cut);
  const auto kept_of_ties = static_cast<double>(kept - (first - sorted.begin()));
  const double weight_of_ties = kept_of_ties / static_cast<double>(last - first);
  std::vector<double> weights(scores.size());
  std::transform(uncertainty.begin(), uncertainty.end(), weights.begin(),
                 [&](double u) { return u < cut ? 1.0 : (u == cut ? weight_of_ties : 0.0); });
  return rocCurve(thresholdTable(scores, positive, weights));
}

}  // namespace dubito
