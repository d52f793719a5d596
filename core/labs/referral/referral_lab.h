// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/labs/referral/referral_options.h"
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

/// Referral by one measure.
struct ReferralByMeasure {
  Measure measure = Measure::kConfidence;
  /// Mean cost per item against the share of referred items, from none to all; items with equal
  /// values are referred together. Thinned to at most 1000 points.
  Curve cost_by_share;
  /// Mean cost per item against the threshold, without the rule that refers all. Thinned as well.
  Curve cost_by_threshold;
  /// The cheapest rule; of equal costs, that with the fewest referred items. Chosen and measured on
  /// the same items, so its cost is optimistic.
  ReferralRule optimum;
  /// ROC curves of the items that are not referred, one per share; `summary` is the area.
  std::vector<Curve> roc;
};

/// Referral of the labelled items of a run.
struct ReferralResult {
  std::int64_t items = 0;       ///< labelled
  std::int64_t unlabelled = 0;  ///< ignored
  std::int64_t errors = 0;      ///< wrong predictions among all labelled items
  double cost_of_none = 0.0;    ///< mean cost per item if none is referred
  double cost_of_all = 0.0;     ///< mean cost per item if all are referred
  /// Mean cost if exactly the items were referred for which that is cheaper: no measure can be
  /// cheaper.
  double cost_of_oracle = 0.0;
  /// What the ROC curves separate, for their caption.
  std::string roc_groups;
  std::vector<ReferralByMeasure> measures;  ///< available measures, in the requested order
};

/// Costs of referral for every measure (Gal 2019: the most uncertain items go to an expert). ROC
/// curves are those of the positive class by its probability for two classes, else of correct
/// predictions by confidence. kInvalidArgument for invalid options, a run without labelled items or
/// without any of the measures, or separate costs if there are not two classes; kMalformed for a
/// number that is not finite.
[[nodiscard]] Expected<ReferralResult> analyseReferral(const Run& run,
                                                       const ReferralOptions& options,
                                                       RunContext& context);

}  // namespace dubito
