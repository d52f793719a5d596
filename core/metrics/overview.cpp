// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/metrics/bin_finder.h"
#include "core/metrics/calibration_error.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/run_scores.h"
#include "core/metrics/selective.h"
#include "core/metrics/thin_curve.h"

namespace dubito {
namespace {

constexpr int kHistogramBins = 40;
constexpr std::size_t kDrawnPoints = 1000;
// An axis needs a length even if all values are 0.
constexpr double kMinAxis = 0.01;

double largest(const Array<double>& values) {
  return values.empty() ? 0.0 : *std::ranges::max_element(values.values());
}

/// The score by `measure` of every OOD set that has it.
std::vector<const ItemScore*> scoresOfOod(const std::vector<RunScores>& ood, Measure measure) {
  std::vector<const ItemScore*> scores;
  for (const RunScores& set : ood) {
    if (const ItemScore* const found = set.find(measure)) {
      scores.push_back(found);
    }
  }
  return scores;
}

Interval axisOf(const ItemScore& score, const std::vector<const ItemScore*>& of_ood,
                std::int64_t classes) {
  if (const auto end = axisEnd(score.measure, classes)) {
    return {0.0, std::max(*end, kMinAxis)};
  }
  double high = largest(score.values);
  for (const ItemScore* const set : of_ood) {
    high = std::max(high, largest(set->values));
  }
  return {0.0, std::max(high, kMinAxis)};
}

/// Histograms with shared edges; those without values become empty.
class HistogramSet {
 public:
  explicit HistogramSet(Interval axis)
      : empty_(makeHistogram({}, axis, kHistogramBins)), find_(empty_.edges) {}

  [[nodiscard]] Histogram start() const { return empty_; }
  void add(double value, Histogram& histogram) const {
    ++histogram.counts[find_(value)];
    ++histogram.total;
  }
  static Histogram finished(Histogram histogram) {
    return histogram.total > 0 ? std::move(histogram) : Histogram{};
  }

 private:
  Histogram empty_;
  BinFinder find_;
};

Overview::ScoreHistograms histogramsOf(const ItemScore& score, const RunScores& in,
                                       const std::vector<RunScores>& ood, std::int64_t classes) {
  const std::vector<const ItemScore*> of_ood = scoresOfOod(ood, score.measure);
  const HistogramSet set(axisOf(score, of_ood, classes));
  std::array<Histogram, 3> groups{set.start(), set.start(), set.start()};
  for (std::size_t i = 0; i < in.outcomes.size(); ++i) {
    set.add(score.values.data()[i], groups[static_cast<std::size_t>(in.outcomes[i])]);
  }
  Histogram histogram_of_ood = set.start();
  for (const ItemScore* const part : of_ood) {
    for (const double value : part->values.values()) {
      set.add(value, histogram_of_ood);
    }
  }
  Overview::ScoreHistograms result;
  result.measure = score.measure;
  const auto finishedOf = [&](Outcome outcome) {
    return HistogramSet::finished(std::move(groups[static_cast<std::size_t>(outcome)]));
  };
  result.correct = finishedOf(Outcome::kCorrect);
  result.misclassified = finishedOf(Outcome::kMisclassified);
  result.ood = HistogramSet::finished(std::move(histogram_of_ood));
  result.unlabelled = finishedOf(Outcome::kUnlabelled);
  return result;
}

/// The step curve; the area under it is the average precision.
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

/// Accuracy against the share of items kept, the most certain first.
void addRejection(const ItemScore& score, const SortedGroups& sorted, const RunContext& context,
                  Overview& overview) {
  const RankedGroups groups{{&sorted.correct}, {&sorted.misclassified}};
  const std::size_t items = groups.positiveCount() + groups.negativeCount();
  if (items == 0) {
    return;
  }
  const ThresholdTable table = thresholdTableOf(groups, score.certainFirst(), context);
  if (context.cancelRequested()) {
    return;
  }
  const RiskCoverage coverage(table);
  Curve curve;
  curve.name = score.name();
  curve.summary = coverage.aurc();
  // A single item of the first tie group has their accuracy in expectation.
  const RiskCoveragePoint& first = coverage.points().front();
  if (first.kept > 1) {
    curve.x.push_back(1.0 / static_cast<double>(items));
    curve.y.push_back(first.accuracy());
  }
  for (const RiskCoveragePoint& point : coverage.points()) {
    curve.x.push_back(static_cast<double>(point.kept) / static_cast<double>(items));
    curve.y.push_back(point.accuracy());
  }
  overview.rejection.push_back(thinCurve(curve, kDrawnPoints));
}

void addRanking(const ItemScore& score, const RunScores& in, const std::vector<RunScores>& ood,
                const RunContext& context, Overview& overview) {
  const SortedGroups sorted = sortGroups(score, in, context);
  addRejection(score, sorted, context, overview);
  const std::vector<const ItemScore*> of_ood = scoresOfOod(ood, score.measure);
  if (of_ood.size() < ood.size() || context.cancelRequested()) {
    return;
  }
  std::vector<SortedScores> sorted_ood;
  sorted_ood.reserve(of_ood.size());
  for (const ItemScore* const set : of_ood) {
    sorted_ood.push_back(sortAll(*set, context));
  }
  RankedGroups groups{{&sorted.correct}, {}};
  if (overview.ood == 0) {
    groups.negatives.push_back(&sorted.misclassified);
  }
  for (const SortedScores& set : sorted_ood) {
    groups.negatives.push_back(&set);
  }
  if (groups.positiveCount() == 0 || groups.negativeCount() == 0) {
    return;
  }
  const ThresholdTable table = thresholdTableOf(groups, score.certainFirst(), context);
  if (context.cancelRequested()) {
    return;
  }
  Curve roc = thinCurve(rocCurve(table), kDrawnPoints);
  Curve precision_recall = thinCurve(steps(precisionRecallCurve(table)), kDrawnPoints);
  roc.name = precision_recall.name = score.name();
  overview.roc.push_back(std::move(roc));
  overview.precision_recall.push_back(std::move(precision_recall));
  overview.positive_share = table.positives / (table.positives + table.negatives);
}

ReliabilityDiagram reliabilityOf(const RunScores& in, std::int64_t bins) {
  EqualWidthSums sums(bins);
  if (in.confidence() == nullptr) {
    return sums.diagram();
  }
  for (std::size_t i = 0; i < in.outcomes.size(); ++i) {
    if (in.outcomes[i] != Outcome::kUnlabelled) {
      sums.add(in.confidence()->values.data()[i], in.outcomes[i] == Outcome::kCorrect);
    }
  }
  return sums.diagram();
}

}  // namespace

Expected<Overview> makeOverview(const Run& run, const std::vector<NamedRun>& ood,
                                const EvaluationOptions& options, RunContext& context) {
  if (Status status = options.check(); !status) {
    return failWith(status);
  }
  const std::vector<Measure> measures = options.measures();
  const Expected<RunScores> in = gatherScores(run, "in-distribution", measures, context);
  if (!in) {
    return failWith(in);
  }
  const Expected<std::vector<RunScores>> ood_scores = gatherOodScores(ood, measures, context);
  if (!ood_scores) {
    return failWith(ood_scores);
  }
  Overview overview;
  overview.correct = in->correct;
  overview.misclassified = in->misclassified;
  overview.unlabelled = in->unlabelled;
  std::int64_t classes = in->classes;
  for (const RunScores& set : *ood_scores) {
    overview.ood += set.itemCount();
    classes = std::max(classes, set.classes);
  }
  overview.ranking_convention = overview.ood > 0 ? "positive: correct · negative: OOD"
                                                 : "positive: correct · negative: misclassified";
  overview.reliability = reliabilityOf(*in, options.bins);
  std::int64_t done = 0;
  const auto total = static_cast<std::int64_t>(in->scores.size());
  for (const ItemScore& score : in->scores) {
    if (context.step("overview", done++, total) == Step::kCancel) {
      return cancelled();
    }
    overview.histograms.push_back(histogramsOf(score, *in, *ood_scores, classes));
    addRanking(score, *in, *ood_scores, context, overview);
  }
  return context.step("overview", total, total) == Step::kCancel ? Expected<Overview>(cancelled())
                                                                 : overview;
}

}  // namespace dubito
