// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/measure.h"

namespace dubito {

/// Costs of a system that predicts or refers an item to an expert. Costs have any common unit.
struct ReferralOptions {
  /// Comma-separated keys of measures; empty: those of evaluations.
  std::string measures;
  double look_cost = 1.0;    ///< of an expert who looks at one item
  double error_cost = 10.0;  ///< of one wrong prediction
  /// Costs of a wrong prediction of the positive class and of a missed positive item, for two
  /// classes; both or neither are given, and they replace `error_cost`.
  std::optional<double> false_positive_cost = std::nullopt;
  std::optional<double> false_negative_cost = std::nullopt;
  std::int64_t positive_class = 1;  ///< for two classes
  double expert_error_rate = 0.0;   ///< probability that the expert is wrong, in [0, 1]
  /// Shares of the items, in percent, after whose referral a ROC curve is drawn.
  std::vector<std::int64_t> roc_percents = {0, 10, 20, 30, 40, 50};

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  [[nodiscard]] bool hasSeparateCosts() const {
    return false_positive_cost.has_value() && false_negative_cost.has_value();
  }
};

/// Numbers of items at one threshold. Index 0: of the items of the negative class, or of all items
/// if there are not two classes; 1: of the items of the positive class.
struct ReferralCounts {
  /// Value of the measure of the least certain item that is not referred; NaN if all are referred.
  double threshold = 0.0;
  std::array<std::uint32_t, 2> referred{};
  std::array<std::uint32_t, 2> wrong{};  ///< wrong predictions that are not referred

  [[nodiscard]] std::int64_t allReferred() const {
    return std::int64_t{referred[0]} + std::int64_t{referred[1]};
  }
  [[nodiscard]] std::int64_t allWrong() const {
    return std::int64_t{wrong[0]} + std::int64_t{wrong[1]};
  }
};

/// The items of a run in the order of one measure.
struct MeasureRanking {
  Measure measure = Measure::kConfidence;
  /// One per threshold, from referring none to referring all. Items with equal values are referred
  /// together.
  std::vector<ReferralCounts> counts;
  /// Positions in `counts` between which a curve of any cost is straight as far as can be seen,
  /// against the share referred and against the threshold.
  std::vector<std::size_t> drawn;
  /// ROC curves of the items that are not referred, one per share; `summary` is the area.
  std::vector<Curve> roc;
};

/// Everything about the referral of the labelled items of a run that does not depend on costs.
struct ReferralRanking {
  std::int64_t items = 0;       ///< labelled
  std::int64_t unlabelled = 0;  ///< ignored
  std::int64_t classes = 0;
  /// What the ROC curves separate, for their caption.
  std::string roc_groups;
  std::vector<MeasureRanking> measures;  ///< available measures, in the requested order

  /// Wrong predictions among all labelled items.
  [[nodiscard]] std::int64_t errors() const { return measures.front().counts.front().allWrong(); }
};

/// Ranks the labelled items of a run by the measures of `options`; of the costs, nothing is used.
/// ROC curves are those of the positive class by its probability for two classes, else of correct
/// predictions by confidence. kInvalidArgument for invalid options, a run without labelled items or
/// without any of the measures; kMalformed for a number that is not finite.
[[nodiscard]] Expected<ReferralRanking> rankReferral(const Run& run, const ReferralOptions& options,
                                                     RunContext& context);

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
