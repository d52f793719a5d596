// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/expected.h"
#include "core/labs/referral/referral_options.h"
#include "core/labs/referral/referral_ranking.h"
#include "core/metrics/measure.h"

namespace dubito {

/// A rule: items that are less certain than the threshold are referred to an expert.
struct ReferralRule {
  /// Value of the measure of the least certain item that is not referred; absent if all are
  /// referred.
  std::optional<double> threshold;
  std::int64_t referred = 0;  ///< number of items
  double share = 0.0;         ///< of the labelled items, in [0, 1]
  std::int64_t errors = 0;    ///< wrong predictions among the items that are not referred
  double cost = 0.0;          ///< mean over all labelled items
};

/// Costs of referral by one measure.
struct MeasureCosts {
  Measure measure = Measure::kConfidence;
  /// From none to all referred, thinned (MeasureRanking::drawn), with the optimum.
  std::vector<ReferralRule> rules;
  /// The cheapest rule of all; of equal costs, that with the fewest referred items. Chosen and
  /// measured on the same items, so its cost is optimistic.
  ReferralRule optimum;
};

/// Costs of referral, mean per labelled item.
struct ReferralCosts {
  double none = 0.0;  ///< if none is referred
  double all = 0.0;   ///< if all are referred
  /// If exactly the items were referred for which that is cheaper: no measure can be cheaper.
  double oracle = 0.0;
  std::vector<MeasureCosts> measures;  ///< as in ReferralRanking::measures
};

/// Costs of referral by every measure of a ranking (Gal 2019: the most uncertain items go to an
/// expert). Fast enough to follow a slider. kInvalidArgument for invalid options, and for separate
/// costs if there are not two classes.
[[nodiscard]] Expected<ReferralCosts> costsOfReferral(const ReferralRanking& ranking,
                                                      const ReferralOptions& options);

}  // namespace dubito
