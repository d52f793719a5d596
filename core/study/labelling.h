// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/study/labelling_options.h"

namespace dubito {

/// Runs of one method.
struct LabellingRuns {
  const Run& target;      ///< to be labelled; its labels only judge the result
  const Run& validation;  ///< labelled items of the source
  const Run& adaptation;  ///< a few labelled items of the target
};

/// How a rule decides what may be labelled.
enum class LabellingRule {
  kSource,             ///< a threshold chosen on the validation items
  kTarget,             ///< a threshold chosen on the adaptation items
  kConformal,          ///< conformal sets of one class, calibrated on the validation items
  kWeightedConformal,  ///< the same, calibration items weighted by shiftWeights()
};
inline constexpr int kLabellingRules = 4;
[[nodiscard]] const char* keyOf(LabellingRule rule);   ///< "source", "target", "conformal", ...
[[nodiscard]] const char* nameOf(LabellingRule rule);  ///< for tables and legends
/// The rule with this key; throws std::invalid_argument if there is none.
[[nodiscard]] LabellingRule labellingRuleOf(const std::string& key);

/// Labels by one rule.
struct LabellingResult {
  LabellingRule rule = LabellingRule::kSource;
  double guaranteed = 0.0;    ///< share of right labels
  std::int64_t items = 0;     ///< labelled items of the target, with which the result is judged
  std::int64_t accepted = 0;  ///< of these, labelled by the rule
  std::int64_t right = 0;     ///< of these, rightly
  std::int64_t calibration_items = 0;
  /// Of the weighted rule, see WeightedConformal::effectiveItems; else the number of items.
  double effective_items = 0.0;

  [[nodiscard]] double share() const;  ///< accepted / items
  [[nodiscard]] double kept() const;   ///< right / accepted; NaN if none is accepted
};

/// Every rule at every guarantee. kInvalidArgument if the runs lack the measure or labels;
/// kCancelled.
[[nodiscard]] Expected<std::vector<LabellingResult>> labelTarget(const LabellingRuns& runs,
                                                                 const LabellingOptions& options,
                                                                 RunContext& context);

[[nodiscard]] nlohmann::json toJson(const std::vector<LabellingResult>& results);
/// kMalformed, naming `source`.
[[nodiscard]] Expected<std::vector<LabellingResult>> labellingFromJson(const nlohmann::json& array,
                                                                       const std::string& source);

}  // namespace dubito
