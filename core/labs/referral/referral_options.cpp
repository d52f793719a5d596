// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/referral/referral_options.h"

#include "core/metrics/measure.h"

namespace dubito {
namespace {

constexpr double kMaxCost = 1e9;

}  // namespace

std::vector<Field> ReferralOptions::fields() {
  return {
      {{.name = "look_cost",
        .label = "Cost of a look",
        .help = "cost of an expert who looks at one item",
        .min = 0.0,
        .max = kMaxCost},
       &look_cost},
      {{.name = "error_cost",
        .label = "Cost of an error",
        .help = "cost of one wrong prediction",
        .min = 0.0,
        .max = kMaxCost,
        .unmet_requirement = allUnless(
            !hasSeparateCosts(), {omitted("false_positive_cost"), omitted("false_negative_cost")})},
       &error_cost},
      {{.name = "false_positive_cost",
        .label = "Cost of a false positive",
        .help = "for two classes: cost of predicting the positive class for another item",
        .min = 0.0,
        .max = kMaxCost},
       &false_positive_cost},
      {{.name = "false_negative_cost",
        .label = "Cost of a false negative",
        .help = "for two classes: cost of missing an item of the positive class",
        .min = 0.0,
        .max = kMaxCost},
       &false_negative_cost},
      {{.name = "positive_class",
        .label = "Positive class",
        .help = "number of the positive class, for two classes",
        .min = 0,
        .max = 1},
       &positive_class},
      {{.name = "expert_error_rate",
        .label = "Errors of the expert",
        .help = "probability that the expert is wrong",
        .min = 0.0,
        .max = 1.0},
       &expert_error_rate},
      {{.name = "measures",
        .label = "Measures",
        .help =
            "measures to refer by, separated by commas; all: every measure; by default those of "
            "evaluations",
        .advanced = true},
       &measures},
      {{.name = "roc_percents",
        .label = "ROC after referral",
        .help = "shares of referred items, in percent, for which a ROC curve is drawn",
        .min = 0,
        .max = 99,
        .advanced = true},
       &roc_percents},
  };
}

Status ReferralOptions::check() const {
  ReferralOptions copy = *this;
  if (Status checked = checkFields(copy.fields()); !checked) {
    return checked;
  }
  if (false_positive_cost.has_value() != false_negative_cost.has_value()) {
    return fail(ErrorCode::kInvalidArgument,
                "only one of the cost of a false positive and the cost of a false negative is "
                "given; give both or neither",
                {setting("false_positive_cost"), setting("false_negative_cost")});
  }
  if (!measures.empty()) {
    if (const auto known = measuresOfKeys(measures); !known) {
      return failWith(known);
    }
  }
  return {};
}

}  // namespace dubito
