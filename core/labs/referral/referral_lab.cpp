// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/referral/referral_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/nan.h"
#include "core/metrics/referral.h"
#include "core/metrics/run_scores.h"
#include "core/metrics/thin_curve.h"

namespace dubito {
namespace {

constexpr std::size_t kDrawnPoints = 1000;

/// The labelled items of a run.
struct LabelledItems {
  std::vector<std::int64_t> index;     ///< in the run
  std::vector<std::uint8_t> is_wrong;  ///< of the prediction
  std::vector<double> predicted_cost;  ///< of keeping the prediction
  std::vector<double> referred_cost;
  // Of the ROC curves.
  std::vector<double> roc_scores;
  std::vector<std::uint8_t> roc_positive;
};

LabelledItems labelledItems(const Run& run, const RunScores& scores,
                            const ReferralOptions& options) {
  const bool has_positive_class = run.classCount() == 2;
  LabelledItems items;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::int64_t label = run.labels.data()[i];
    if (label < 0) {
      continue;
    }
    const bool is_wrong = label != run.predictions.data()[i];
    items.index.push_back(i);
    items.is_wrong.push_back(is_wrong ? 1 : 0);
    items.predicted_cost.push_back(is_wrong ? options.costOfError(label) : 0.0);
    items.referred_cost.push_back(options.costOfReferral(label));
    items.roc_scores.push_back(has_positive_class ? run.prob(i, options.positive_class)
                                                  : scores.confidence().rank(i));
    items.roc_positive.push_back(has_positive_class ? label == options.positive_class : !is_wrong);
  }
  return items;
}

/// The rules of one measure, from referring all items to referring none.
std::vector<ReferralRule> rulesOf(const ItemScore& score, const LabelledItems& items,
                                  const std::vector<double>& uncertainty) {
  const std::size_t count = items.index.size();
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    order[i] = i;
  }
  // By number in ties, so that sums do not depend on the sorting algorithm.
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return uncertainty[a] != uncertainty[b] ? uncertainty[a] < uncertainty[b] : a < b;
  });
  // Sums from both ends, so that a large sum does not cancel.
  std::vector<double> referred(count + 1);
  for (std::size_t at = count; at-- > 0;) {
    referred[at] = referred[at + 1] + items.referred_cost[order[at]];
  }
  const auto total = static_cast<double>(count);
  std::vector<ReferralRule> rules{
      {std::nullopt, static_cast<std::int64_t>(count), 1.0, 0, referred[0] / total}};
  double kept_cost = 0.0;
  std::int64_t errors = 0;
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t item = order[at];
    kept_cost += items.predicted_cost[item];
    errors += items.is_wrong[item];
    if (at + 1 < count && uncertainty[order[at + 1]] == uncertainty[item]) {
      continue;
    }
    const auto left = static_cast<std::int64_t>(count - at - 1);
    rules.push_back({score.values.data()[items.index[item]], left,
                     static_cast<double>(left) / total, errors,
                     (kept_cost + referred[at + 1]) / total});
  }
  return rules;
}

ReferralByMeasure referralBy(const ItemScore& score, const LabelledItems& items,
                             const ReferralOptions& options) {
  ReferralByMeasure result;
  result.measure = score.measure;
  const double sign = score.certainFirst() == RankOrder::kHighFirst ? -1.0 : 1.0;
  std::vector<double> uncertainty;
  for (const std::int64_t i : items.index) {
    uncertainty.push_back(sign * score.rank(i));
  }
  const std::vector<ReferralRule> rules = rulesOf(score, items, uncertainty);
  Curve by_share{"", {}, {}, kNaN};
  Curve by_threshold{"", {}, {}, kNaN};
  result.optimum = rules.back();
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    by_share.x.push_back(rule->share);
    by_share.y.push_back(rule->cost);
    if (rule->threshold) {
      by_threshold.x.push_back(*rule->threshold);
      by_threshold.y.push_back(rule->cost);
    }
    if (rule->cost < result.optimum.cost) {
      result.optimum = *rule;
    }
  }
  result.cost_by_share = thinCurve(by_share, kDrawnPoints);
  result.cost_by_threshold = thinCurve(by_threshold, kDrawnPoints);
  for (const std::int64_t percent : options.roc_percents) {
    Curve curve = thinCurve(rocAfterReferral(items.roc_scores, items.roc_positive, uncertainty,
                                             static_cast<double>(percent) / 100.0),
                            kDrawnPoints);
    curve.name = fmt::format("{} % referred", percent);
    result.roc.push_back(std::move(curve));
  }
  return result;
}

double meanOf(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace

Expected<ReferralResult> analyseReferral(const Run& run, const ReferralOptions& options,
                                         RunContext& context) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (options.hasSeparateCosts() && run.classCount() != 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the run has {} classes, but costs of false positives and negatives "
                            "need two; give --error-cost alone",
                            run.classCount()));
  }
  const std::vector<Measure> requested =
      options.measures.empty() ? defaultMeasures() : measuresOfKeys(options.measures).value();
  const auto scores = gatherScores(run, "the run", requested, context);
  if (!scores) {
    return failWith(scores);
  }
  if (scores->labelled() == 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has no labelled items, so errors are unknown; open a run of a "
                            "labelled dataset",
                            scores->name));
  }
  const LabelledItems items = labelledItems(run, *scores, options);
  ReferralResult result;
  result.items = scores->labelled();
  result.unlabelled = scores->unlabelled;
  result.errors = scores->misclassified;
  result.cost_of_none = meanOf(items.predicted_cost);
  result.cost_of_all = meanOf(items.referred_cost);
  for (std::size_t i = 0; i < items.index.size(); ++i) {
    result.cost_of_oracle += std::min(items.predicted_cost[i], items.referred_cost[i]) /
                             static_cast<double>(items.index.size());
  }
  result.roc_groups = run.classCount() == 2 ? fmt::format("{} by its probability",
                                                          run.className(options.positive_class))
                                            : "correct predictions by confidence";
  for (const Measure measure : requested) {
    const Step step = context.step("referral", static_cast<std::int64_t>(result.measures.size()),
                                   static_cast<std::int64_t>(requested.size()));
    if (step == Step::kCancel) {
      return cancelled();
    }
    if (const ItemScore* const score = scores->find(measure)) {
      result.measures.push_back(referralBy(*score, items, options));
    }
  }
  if (result.measures.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has none of the measures {}; choose --measures confidence",
                            scores->name, keysText(requested)));
  }
  return result;
}

}  // namespace dubito
