// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/labelling.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/json_integer.h"
#include "core/decisions/conformal.h"
#include "core/decisions/run_uncertainty.h"
#include "core/decisions/weighted_conformal.h"
#include "core/review/autolabel.h"
#include "core/study/result_json.h"
#include "core/study/shift_weights.h"

namespace dubito {
namespace {

using nlohmann::json;

struct RuleTexts {
  const char* key;
  const char* name;
};
constexpr std::array<RuleTexts, kLabellingRules> kTexts = {{
    {"source", "threshold from the source"},
    {"target", "threshold from target labels"},
    {"conformal", "conformal sets from the source"},
    {"weighted-conformal", "weighted conformal sets"},
}};

/// Counts an item that a rule accepts.
void accept(LabellingResult& result, const Run& run, std::int64_t item) {
  ++result.accepted;
  result.right += run.predictions.data()[item] == run.labels.data()[item] ? 1 : 0;
}

std::int64_t labelledItems(const Run& run) {
  std::int64_t count = 0;
  for (const std::int64_t label : run.labels.values()) {
    count += label >= 0 ? 1 : 0;
  }
  return count;
}

Expected<LabellingResult> byThreshold(const Run& target, const RunUncertainty& uncertainty,
                                      const CalibrationItems& calibration,
                                      const SelectionOptions& options, RunContext& context) {
  const auto chosen = selectThreshold(calibration.uncertainty, calibration.error, calibration.top,
                                      options, context);
  if (!chosen) {
    return failWith(chosen);
  }
  LabellingResult result{.guaranteed = options.target,
                         .items = labelledItems(target),
                         .calibration_items = chosen->items,
                         .effective_items = static_cast<double>(chosen->items)};
  for (std::int64_t i = 0; chosen->threshold && i < target.itemCount(); ++i) {
    if (target.labels.data()[i] >= 0 && uncertainty.values.data()[i] <= *chosen->threshold) {
      accept(result, target, i);
    }
  }
  return result;
}

/// Accepts items whose set has one class. `target_weights` is empty for equal weights.
LabellingResult bySets(const Run& target, const WeightedConformal& calibrated,
                       const std::vector<double>& target_weights, double guaranteed) {
  LabellingResult result{.guaranteed = guaranteed,
                         .items = labelledItems(target),
                         .effective_items = calibrated.effectiveItems()};
  ConformalScorer scorer({});
  std::visit(
      [&](const auto& probs) {
        for (std::int64_t i = 0; i < target.itemCount(); ++i) {
          const double weight =
              target_weights.empty() ? 1.0 : target_weights[static_cast<std::size_t>(i)];
          const double threshold = calibrated.threshold(1.0 - guaranteed, weight);
          if (target.labels.data()[i] >= 0 &&
              conformalSet(scorer(probs.row(i)), threshold).size() == 1) {
            accept(result, target, i);
          }
        }
      },
      *target.probs);
  return result;
}

LabellingResult labellingResultFromJson(const json& object) {
  LabellingResult result;
  result.rule = labellingRuleOf(object.at("rule").get<std::string>());
  readInto(object.at("promised"), result.guaranteed);
  readInto(object.at("items"), result.items);
  readInto(object.at("accepted"), result.accepted);
  readInto(object.at("right"), result.right);
  readInto(object.at("calibration_items"), result.calibration_items);
  readInto(object.at("effective_items"), result.effective_items);
  return result;
}

}  // namespace

const char* keyOf(LabellingRule rule) {
  return kTexts.at(static_cast<std::size_t>(rule)).key;
}
const char* nameOf(LabellingRule rule) {
  return kTexts.at(static_cast<std::size_t>(rule)).name;
}
LabellingRule labellingRuleOf(const std::string& key) {
  const auto found = std::ranges::find(kTexts, key, &RuleTexts::key);
  if (found == kTexts.end()) {
    throw std::invalid_argument("there is no rule " + key);
  }
  return static_cast<LabellingRule>(found - kTexts.begin());
}

double LabellingResult::share() const {
  return items > 0 ? static_cast<double>(accepted) / static_cast<double>(items) : 0.0;
}
double LabellingResult::kept() const {
  return accepted > 0 ? static_cast<double>(right) / static_cast<double>(accepted)
                      : std::numeric_limits<double>::quiet_NaN();
}

Expected<std::vector<LabellingResult>> labelTarget(const LabellingRuns& runs,
                                                   const LabellingOptions& options,
                                                   RunContext& context) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  const Measure measure = measureOfKey(options.measure).value();
  const auto uncertainty = uncertaintyOf(runs.target, "target", measure, context);
  const auto source = calibrationItems(runs.validation, "validation", measure, context);
  const auto few = calibrationItems(runs.adaptation, "adaptation", measure, context);
  const auto weights = shiftWeights(runs.validation, runs.target, context);
  for (const Status& status :
       {uncertainty ? Status() : failWith(uncertainty), source ? Status() : failWith(source),
        few ? Status() : failWith(few), weights ? Status() : failWith(weights)}) {
    if (!status) {
      return failWith(status);
    }
  }
  const std::vector<double> scores = calibrationScoresOf(runs.validation, {}, context);
  std::vector<double> weights_of_labelled;
  for (std::int64_t i = 0; i < runs.validation.itemCount(); ++i) {
    if (runs.validation.labels.data()[i] >= 0) {
      weights_of_labelled.push_back(weights->source[static_cast<std::size_t>(i)]);
    }
  }
  const WeightedConformal plain(scores, std::vector<double>(scores.size(), 1.0));
  const WeightedConformal weighted(scores, weights_of_labelled);
  std::vector<LabellingResult> results;
  for (const double target : options.targets) {
    SelectionOptions selection = options.selection;
    selection.target = target;
    for (const auto& [rule, items] :
         {std::pair(LabellingRule::kSource, &*source), std::pair(LabellingRule::kTarget, &*few)}) {
      auto result = byThreshold(runs.target, *uncertainty, *items, selection, context);
      if (!result) {
        return failWith(result);
      }
      result->rule = rule;
      results.push_back(*result);
    }
    results.push_back(bySets(runs.target, plain, {}, target));
    results.back().rule = LabellingRule::kConformal;
    results.push_back(bySets(runs.target, weighted, weights->target, target));
    results.back().rule = LabellingRule::kWeightedConformal;
    for (auto result = results.end() - 2; result != results.end(); ++result) {
      result->calibration_items = static_cast<std::int64_t>(scores.size());
    }
  }
  return results;
}

json toJson(const std::vector<LabellingResult>& results) {
  json array = json::array();
  for (const LabellingResult& result : results) {
    array.push_back({{"rule", keyOf(result.rule)},
                     {"promised", result.guaranteed},
                     {"items", result.items},
                     {"accepted", result.accepted},
                     {"right", result.right},
                     {"calibration_items", result.calibration_items},
                     {"effective_items", result.effective_items}});
  }
  return array;
}

Expected<std::vector<LabellingResult>> labellingFromJson(const json& array,
                                                         const std::string& source) {
  return resultsFromJson(array, "labelling", source, labellingResultFromJson);
}

}  // namespace dubito
