// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/metrics/bin_finder.h"
#include "core/metrics/calibration_error.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/evaluation_stages.h"
#include "core/metrics/plotted_evaluation.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/ranked_curves.h"
#include "core/metrics/thin_curve.h"

namespace dubito {
namespace {

constexpr int kHistogramBins = 40;
constexpr std::size_t kDrawnPoints = 1000;
/// Steps of an axis that are told apart before a curve is thinned, far below one pixel.
constexpr std::int64_t kAxisSteps = 16384;
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

/// Curves of positives and negatives in one walk.
RankedCurves curvesOf(const RankedGroups& groups, ItemMark negatives, const SortedScore& sorted,
                      const RunContext& context) {
  const auto countsOf = [negatives](std::int64_t correct, std::int64_t wrong) {
    GroupCounts counts;
    counts.correct = correct;
    (negatives == ItemMark::kOod ? counts.ood : counts.misclassified) = wrong;
    return counts;
  };
  const GroupCounts all = countsOf(static_cast<std::int64_t>(groups.positiveCount()),
                                   static_cast<std::int64_t>(groups.negativeCount()));
  RankedCurveMaker maker(all, negatives, kAxisSteps);
  RankedSums sums(all, negatives);
  walkRanks(groups, sorted.score->certainFirst(), context,
            [&](double, std::int64_t correct, std::int64_t wrong) {
              const GroupCounts ties = countsOf(correct, wrong);
              maker.addPoint(ties);
              sums.add(ties);
            });
  RankedCurves curves = maker.take(sorted.score->name());
  sums.summarise(curves);
  return curves;
}

/// What one score adds to an overview.
struct ScoreOverview {
  Overview::ScoreHistograms histograms;
  // Empty where the run has no items for them.
  Curve rejection;
  Curve roc;
  Curve precision_recall;
  double positive_share = 0.0;  ///< of the last two
};

void addRanking(const SortedScore& sorted, std::int64_t ood, const RunContext& context,
                ScoreOverview& of_score) {
  const SortedGroups& in = sorted.in;
  RankedGroups groups{{&in.correct}, {&in.misclassified}};
  RankedCurves curves = curvesOf(groups, ItemMark::kMisclassified, sorted, context);
  if (context.cancelRequested()) {
    return;
  }
  of_score.rejection = thinCurve(curves.rejection, kDrawnPoints);
  if (!sorted.hasAllOod()) {
    return;
  }
  if (ood > 0) {
    groups.negatives.clear();
    for (const std::optional<SortedScores>& set : sorted.ood) {
      groups.negatives.push_back(&*set);
    }
    curves = curvesOf(groups, ItemMark::kOod, sorted, context);
  }
  if (curves.roc.x.empty() || context.cancelRequested()) {
    return;
  }
  of_score.roc = thinCurve(curves.roc, kDrawnPoints);
  of_score.precision_recall = thinCurve(steps(curves.precision_recall), kDrawnPoints);
  const auto positives = static_cast<double>(groups.positiveCount());
  of_score.positive_share = positives / (positives + static_cast<double>(groups.negativeCount()));
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

/// An overview without what each score adds.
Overview overviewWithCounts(const GatheredScores& scores, std::int64_t bins) {
  Overview overview;
  overview.correct = scores.in.correct;
  overview.misclassified = scores.in.misclassified;
  overview.unlabelled = scores.in.unlabelled;
  for (const RunScores& set : scores.ood) {
    overview.ood += set.itemCount();
  }
  overview.ranking_convention = overview.ood > 0 ? "positive: correct · negative: OOD"
                                                 : "positive: correct · negative: misclassified";
  overview.reliability = reliabilityOf(scores.in, bins);
  return overview;
}

ScoreOverview overviewOf(const SortedScore& sorted, const GatheredScores& scores,
                         const RunContext& context) {
  std::int64_t classes = scores.in.classes;
  std::int64_t ood = 0;
  for (const RunScores& set : scores.ood) {
    classes = std::max(classes, set.classes);
    ood += set.itemCount();
  }
  ScoreOverview of_score;
  of_score.histograms = histogramsOf(*sorted.score, scores.in, scores.ood, classes);
  addRanking(sorted, ood, context, of_score);
  return of_score;
}

void addScore(ScoreOverview of_score, Overview& overview) {
  overview.histograms.push_back(std::move(of_score.histograms));
  if (!of_score.rejection.x.empty()) {
    overview.rejection.push_back(std::move(of_score.rejection));
  }
  if (!of_score.roc.x.empty()) {
    overview.roc.push_back(std::move(of_score.roc));
    overview.precision_recall.push_back(std::move(of_score.precision_recall));
    overview.positive_share = of_score.positive_share;
  }
}

}  // namespace

Expected<Overview> makeOverview(const Run& run, const std::vector<NamedRun>& ood,
                                const EvaluationOptions& options, RunContext& context) {
  const Expected<GatheredScores> scores = gatherAllScores(run, ood, options, context);
  if (!scores) {
    return failWith(scores);
  }
  Overview overview = overviewWithCounts(*scores, options.bins);
  std::int64_t done = 0;
  const auto total = static_cast<std::int64_t>(scores->in.scores.size());
  for (const ItemScore& score : scores->in.scores) {
    if (context.step("overview", done++, total) == Step::kCancel) {
      return cancelled();
    }
    addScore(overviewOf(sortScore(score, scores->in, scores->ood, context), *scores, context),
             overview);
  }
  return context.step("overview", total, total) == Step::kCancel ? Expected<Overview>(cancelled())
                                                                 : overview;
}

Expected<PlottedEvaluation> evaluateForPlots(const Run& run, const std::vector<NamedRun>& ood,
                                             const EvaluationOptions& options,
                                             RunContext& context) {
  const Expected<GatheredScores> scores = gatherAllScores(run, ood, options, context);
  if (!scores) {
    return failWith(scores);
  }
  Overview overview = overviewWithCounts(*scores, options.bins);
  std::vector<ScoreOverview> of_scores(scores->in.scores.size());
  Expected<Evaluation> evaluation = evaluateScores(
      run, *scores, options, context, [&](std::size_t position, const SortedScore& sorted) {
        of_scores[position] = overviewOf(sorted, *scores, context);
      });
  if (!evaluation) {
    return failWith(evaluation);
  }
  for (ScoreOverview& of_score : of_scores) {
    addScore(std::move(of_score), overview);
  }
  return PlottedEvaluation{std::move(*evaluation), std::move(overview)};
}

}  // namespace dubito
