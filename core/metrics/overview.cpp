// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/metrics/calibration.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/run_scores.h"
#include "core/metrics/thin_curve.h"

namespace dubito {
namespace {

constexpr int kHistogramBins = 40;
constexpr std::size_t kDrawnPoints = 1000;
// An axis must have a length, also where nothing is uncertain.
constexpr double kShortestAxis = 0.01;

std::vector<double> pick(const std::vector<double>& values,
                         const std::vector<std::int64_t>& items) {
  std::vector<double> picked(items.size());
  std::transform(items.begin(), items.end(), picked.begin(),
                 [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
  return picked;
}

/// The OOD items' values of a score, of those sets that have it.
std::vector<double> valuesOfOod(const std::vector<RunScores>& ood, const std::string& score) {
  std::vector<double> values;
  for (const RunScores& set : ood) {
    if (const ItemScore* const found = set.find(score)) {
      values.insert(values.end(), found->values.begin(), found->values.end());
    }
  }
  return values;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

Interval axisOf(const ItemScore& score, const std::vector<double>& values_of_ood,
                std::int64_t classes) {
  if (score.name == "confidence") {
    return {0.0, 1.0};
  }
  const double high = score.name == "entropy" && classes > 0
                          ? std::log(static_cast<double>(classes))
                          : std::max(largest(score.values), largest(values_of_ood));
  return {0.0, std::max(high, kShortestAxis)};
}

Overview::ScoreHistograms histogramsOf(const ItemScore& score, const RunScores& in,
                                       const std::vector<RunScores>& ood, std::int64_t classes) {
  const std::vector<double> values_of_ood = valuesOfOod(ood, score.name);
  const Interval axis = axisOf(score, values_of_ood, classes);
  const auto histogram = [&](const std::vector<double>& values) {
    return values.empty() ? Histogram{} : makeHistogram(values, axis, kHistogramBins);
  };
  Overview::ScoreHistograms result;
  result.score = score.name;
  result.unit = score.name == "confidence" ? "" : "nats";
  result.correct = histogram(pick(score.values, in.correct));
  result.misclassified = histogram(pick(score.values, in.misclassified));
  result.ood = histogram(values_of_ood);
  result.unlabelled = histogram(pick(score.values, in.unlabelled));
  return result;
}

/// The steps under which the average precision is the area.
Curve steps(const Curve& curve) {
  Curve result;
  result.name = curve.name;
  result.summary = curve.summary;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (i > 0) {
      result.x.push_back(curve.x[i - 1]);
      result.y.push_back(curve.y[i]);
    }
    result.x.push_back(curve.x[i]);
    result.y.push_back(curve.y[i]);
  }
  return result;
}

void addRanking(const ItemScore& score, const RunScores& in, const std::vector<RunScores>& ood,
                Overview& overview) {
  std::vector<double> negatives;
  if (overview.ood == 0) {
    negatives = score.certaintyOf(in.misclassified);
  }
  for (const RunScores& set : ood) {
    const ItemScore* const found = set.find(score.name);
    if (found == nullptr) {
      return;
    }
    const std::vector<double> certainty = found->certaintyOf(set.all_items);
    negatives.insert(negatives.end(), certainty.begin(), certainty.end());
  }
  if (in.correct.empty() || negatives.empty()) {
    return;
  }
  const ThresholdTable table = thresholdTableOfGroups(score.certaintyOf(in.correct), negatives);
  Curve roc = thinCurve(rocCurve(table), kDrawnPoints);
  Curve precision_recall = thinCurve(steps(precisionRecallCurve(table)), kDrawnPoints);
  roc.name = precision_recall.name = score.name;
  overview.roc.push_back(std::move(roc));
  overview.precision_recall.push_back(std::move(precision_recall));
  overview.positive_share = table.positives / (table.positives + table.negatives);
}

}  // namespace

Expected<Overview> makeOverview(const Run& run, const std::vector<NamedRun>& ood,
                                const EvaluationOptions& options, RunContext& context) {
  if (Status status = options.check(); !status) {
    return failWith(status);
  }
  const Expected<RunScores> in = gatherScores(run, "in-distribution", context);
  if (!in) {
    return failWith(in);
  }
  const Expected<std::vector<RunScores>> ood_scores = gatherOodScores(ood, context);
  if (!ood_scores) {
    return failWith(ood_scores);
  }
  Overview overview;
  overview.correct = static_cast<std::int64_t>(in->correct.size());
  overview.misclassified = static_cast<std::int64_t>(in->misclassified.size());
  overview.unlabelled = static_cast<std::int64_t>(in->unlabelled.size());
  std::int64_t classes = in->classes;
  for (const RunScores& set : *ood_scores) {
    overview.ood += static_cast<std::int64_t>(set.all_items.size());
    classes = std::max(classes, set.classes);
  }
  overview.ranking_convention = overview.ood > 0 ? "positive: correct · negative: OOD"
                                                 : "positive: correct · negative: misclassified";
  overview.reliability = equalWidthReliability(in->confidence().certaintyOf(in->labelled),
                                               in->labelled_correct, options.bins);
  std::int64_t done = 0;
  const auto total = static_cast<std::int64_t>(in->scores.size());
  for (const ItemScore& score : in->scores) {
    if (context.step("overview", done++, total) == Step::kCancel) {
      return cancelled();
    }
    overview.histograms.push_back(histogramsOf(score, *in, *ood_scores, classes));
    addRanking(score, *in, *ood_scores, overview);
  }
  return context.step("overview", total, total) == Step::kCancel ? Expected<Overview>(cancelled())
                                                                 : overview;
}

}  // namespace dubito
