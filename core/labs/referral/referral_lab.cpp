// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/referral/referral_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/metrics/measure.h"

namespace dubito {
namespace {

/// What one item costs, by its index in ReferralCounts.
struct ItemCosts {
  std::array<double, 2> error{};
  std::array<double, 2> referral{};
};

ItemCosts itemCosts(const ReferralOptions& options) {
  ItemCosts costs;
  costs.error = options.hasSeparateCosts()
                    ? std::array{*options.false_positive_cost, *options.false_negative_cost}
                    : std::array{options.error_cost, options.error_cost};
  for (std::size_t i = 0; i < 2; ++i) {
    costs.referral.at(i) = options.look_cost + options.expert_error_rate * costs.error.at(i);
  }
  return costs;
}

double meanCost(const ReferralCounts& counts, const ItemCosts& costs, double items) {
  return (counts.referred[0] * costs.referral[0] + counts.referred[1] * costs.referral[1] +
          counts.wrong[0] * costs.error[0] + counts.wrong[1] * costs.error[1]) /
         items;
}

ReferralRule ruleOf(const ReferralCounts& counts, const ItemCosts& costs, double items) {
  ReferralRule rule;
  if (!std::isnan(counts.threshold)) {
    rule.threshold = counts.threshold;
  }
  rule.referred = counts.allReferred();
  rule.share = static_cast<double>(rule.referred) / items;
  rule.errors = counts.allWrong();
  rule.cost = meanCost(counts, costs, items);
  return rule;
}

MeasureCosts costsOf(const MeasureRanking& ranking, const ItemCosts& costs, double items) {
  MeasureCosts result;
  result.measure = ranking.measure;
  std::size_t cheapest = 0;
  double lowest = meanCost(ranking.counts.front(), costs, items);
  for (std::size_t i = 1; i < ranking.counts.size(); ++i) {
    const double cost = meanCost(ranking.counts[i], costs, items);
    if (cost < lowest) {
      lowest = cost;
      cheapest = i;
    }
  }
  result.optimum = ruleOf(ranking.counts[cheapest], costs, items);
  std::vector<std::size_t> drawn = ranking.drawn;
  const auto place = std::ranges::lower_bound(drawn, cheapest);
  if (place == drawn.end() || *place != cheapest) {
    drawn.insert(place, cheapest);
  }
  for (const std::size_t i : drawn) {
    result.rules.push_back(ruleOf(ranking.counts[i], costs, items));
  }
  return result;
}

constexpr double kMaxCost = 1e9;

}  // namespace

Expected<ReferralCosts> costsOfReferral(const ReferralRanking& ranking,
                                        const ReferralOptions& options) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (options.hasSeparateCosts() && ranking.classes != 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the run has {} classes, but costs of false positives and negatives "
                            "need two; give the cost of an error alone",
                            ranking.classes),
                {setting("error_cost")});
  }
  const ItemCosts costs = itemCosts(options);
  const auto items = static_cast<double>(ranking.items);
  const ReferralCounts& none = ranking.measures.front().counts.front();
  ReferralCosts result;
  result.none = meanCost(none, costs, items);
  result.all = meanCost(ranking.measures.front().counts.back(), costs, items);
  for (std::size_t i = 0; i < 2; ++i) {
    result.oracle += none.wrong.at(i) * std::min(costs.error.at(i), costs.referral.at(i)) / items;
  }
  for (const MeasureRanking& measure : ranking.measures) {
    result.measures.push_back(costsOf(measure, costs, items));
  }
  return result;
}

std::vector<Field> ReferralOptions::fields() {
  return {
      field(&look_cost, "look_cost", "Cost of a look", "cost of an expert who looks at one item",
            {.min = 0.0, .max = kMaxCost}),
      field(
          &error_cost, "error_cost", "Cost of an error", "cost of one wrong prediction",
          {.min = 0.0,
           .max = kMaxCost,
           .unmet_requirement = allUnless(!hasSeparateCosts(), {omitted("false_positive_cost"),
                                                                omitted("false_negative_cost")})}),
      field(&false_positive_cost, "false_positive_cost", "Cost of a false positive",
            "for two classes: cost of predicting the positive class for another item",
            {.min = 0.0, .max = kMaxCost}),
      field(&false_negative_cost, "false_negative_cost", "Cost of a false negative",
            "for two classes: cost of missing an item of the positive class",
            {.min = 0.0, .max = kMaxCost}),
      field(&positive_class, "positive_class", "Positive class",
            "number of the positive class, for two classes", {.min = 0, .max = 1}),
      field(&expert_error_rate, "expert_error_rate", "Errors of the expert",
            "probability that the expert is wrong", {.min = 0.0, .max = 1.0}),
      field(&measures, "measures", "Measures",
            "measures to refer by, separated by commas; all: every measure; by default those of "
            "evaluations",
            {.advanced = true}),
      field(&roc_percents, "roc_percents", "ROC after referral",
            "shares of referred items, in percent, for which a ROC curve is drawn",
            {.min = 0, .max = 99, .advanced = true}),
  };
}

Status ReferralOptions::check() const {
  if (Status checked = checkFieldsOf(*this); !checked) {
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
