// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/base/collect_parts.h"
#include "core/base/compensated_sum.h"
#include "core/base/nan.h"
#include "core/metrics/calibration_error.h"
#include "core/metrics/classwise_calibration.h"
#include "core/metrics/evaluation_stages.h"
#include "core/metrics/labelled_scores.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/run_scores.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {

std::vector<Field> EvaluationOptions::fields() {
  return {{{.name = "bins",
            .label = "Bins",
            .help = "equal-width bins of the reliability diagram",
            .min = 1,
            .max = 1000},
           &bins},
          {{.name = "scores",
            .label = "Scores",
            .help = "measures that rank the items, separated by commas; all: every measure of how "
                    "certain a prediction is; by default " +
                    keysText(defaultMeasures()),
            .advanced = true},
           &scores}};
}

Status EvaluationOptions::check() const {
  EvaluationOptions copy = *this;
  if (Status status = checkFields(copy.fields()); !status || scores.empty()) {
    return status;
  }
  if (const auto measures = measuresOfKeys(scores); !measures) {
    Error error = measures.error();
    error.remedy.settings.push_back(setting("scores"));
    return failOf("Scores", std::move(error));
  }
  return {};
}

std::vector<Measure> EvaluationOptions::measures() const {
  return scores.empty() ? defaultMeasures() : measuresOfKeys(scores).value();
}

// The stages of evaluate(), in its order.
namespace {

constexpr const char* kStage = "evaluate";

/// Checks the labels of the run against K, so that the metrics may treat an invalid label as a bug
/// of the caller.
Status checkLabels(const Run& run, const std::string& name) {
  const std::int64_t classes = run.classCount();
  for (std::int64_t i = 0; classes > 0 && i < run.labels.size(); ++i) {
    if (run.labels.data()[i] >= classes) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: item {} has the label {}, but there are {} classes; correct the "
                              "labels or choose the run to which they belong",
                              name, run.ids.data()[i], run.labels.data()[i], classes));
    }
  }
  return {};
}

/// An evaluation with its names and numbers of items, and no metrics yet.
Evaluation evaluationWithCounts(const Run& run, const RunScores& scores, std::int64_t bins) {
  Evaluation evaluation;
  evaluation.name = scores.name;
  evaluation.method = run.meta.method;
  evaluation.n = scores.labelled();
  evaluation.unlabelled = scores.unlabelled;
  evaluation.reviewed_labels = run.meta.reviewed_labels;
  evaluation.classes = scores.classes;
  evaluation.ece_bins = bins;
  return evaluation;
}

/// Sums of one pass over the confidences.
struct ConfidenceSums {
  CompensatedSum sum;
  EqualWidthSums bins;  ///< of labelled items, or of all items if all count as wrong
};

ConfidenceSums sumConfidences(const RunScores& scores, std::int64_t bins, bool all_are_wrong,
                              const RunContext& context) {
  const ConfidenceSums empty{{}, EqualWidthSums(bins)};
  if (scores.confidence() == nullptr) {
    return empty;
  }
  const double* const confidence = scores.confidence()->values.data();
  const std::vector<ConfidenceSums> parts = collectParts(
      scores.itemCount(), kItemsPerPart, empty, context,
      [&](std::int64_t begin, std::int64_t end, ConfidenceSums& sums) {
        for (std::int64_t i = begin; i < end; ++i) {
          const Outcome outcome = scores.outcomes[static_cast<std::size_t>(i)];
          sums.sum.add(confidence[i]);
          if (all_are_wrong || outcome != Outcome::kUnlabelled) {
            sums.bins.add(confidence[i], !all_are_wrong && outcome == Outcome::kCorrect);
          }
        }
      });
  ConfidenceSums all = empty;
  for (const ConfidenceSums& part : parts) {
    all.sum.add(part.sum);
    all.bins.add(part.bins);
  }
  return all;
}

double meanOf(const CompensatedSum& sum, std::int64_t n) {
  return n > 0 ? sum.value() / static_cast<double>(n) : kNaN;
}

/// Metrics of the predicted classes and their confidences.
void addConfidenceMetrics(const RunScores& scores, const ConfidenceSums& confidences,
                          Evaluation& evaluation) {
  evaluation.mmc =
      scores.confidence() == nullptr ? kNaN : meanOf(confidences.sum, scores.itemCount());
  if (evaluation.n > 0) {
    evaluation.accuracy = static_cast<double>(scores.correct) / static_cast<double>(evaluation.n);
    const ReliabilityDiagram equal_width = confidences.bins.diagram();
    evaluation.ece = equal_width.ece;
    evaluation.mce = equal_width.mce;
    evaluation.rmsce = equal_width.rmsce;
  }
}

GaugeStatistics statisticsOf(const Array<double>& values) {
  GaugeStatistics statistics;
  CompensatedSum sum;
  for (const double value : values.values()) {
    if (!std::isnan(value)) {
      ++statistics.n;
      sum.add(value);
      statistics.max = std::max(statistics.max, value);
    }
  }
  statistics.mean = sum.value() / static_cast<double>(statistics.n);
  return statistics;
}

std::optional<GaugeSummary> summariseGauges(const Run& run) {
  if (!run.gauge_bridge || !run.gauge_probit) {
    return std::nullopt;
  }
  GaugeSummary summary{statisticsOf(*run.gauge_bridge), statisticsOf(*run.gauge_probit), {}};
  if (run.gauge_divergence) {
    summary.divergence = statisticsOf(*run.gauge_divergence);
  }
  return summary;
}

template <class T>
void addScoresOf(const Array<T>& probs, const Run& run, const RunContext& context,
                 Evaluation& evaluation) {
  const std::span<const std::int64_t> labels = run.labels.values();
  const LabelledScores scores =
      labelledScores(probs, run.logits ? &*run.logits : nullptr, labels, context);
  evaluation.nll = scores.nll;
  evaluation.masked_labels = scores.masked_labels;
  evaluation.nll_convention =
      scores.nll_is_of_logits
          ? "log-softmax of the logits"
          : fmt::format("probabilities clamped at {:.3g}", double{std::numeric_limits<T>::min()});
  evaluation.nll_clamped = scores.nll_clamped;
  evaluation.brier = scores.brier;
  evaluation.classwise_ece = classwiseCalibration(probs, labels, evaluation.ece_bins, context).mean;
}

/// Metrics of the probabilities of all classes.
void addProbabilityMetrics(const Run& run, const RunContext& context, Evaluation& evaluation) {
  if (evaluation.n > 0 && run.probs) {
    std::visit([&](const auto& probs) { addScoresOf(probs, run, context, evaluation); },
               *run.probs);
  }
}

/// Metrics that Evaluation has no member for, see addMetric.
void addComputedMetrics(const Run& run, const RunContext& context, Evaluation& evaluation) {
  for (const Metric metric : allMetrics()) {
    const MetricInfo& info = describe(metric);
    if (info.compute != nullptr && isTaskOf(run.meta.task, info.task)) {
      evaluation.computed[metric] = info.compute(run, context);
    }
  }
}

CalibrationError errorOf(const EqualWidthSums& sums) {
  const ReliabilityDiagram diagram = sums.diagram();
  return {diagram.ece, diagram.mce};
}

/// The confidences on OOD items: their mean, and the calibration error if they count as wrong.
void addOodConfidences(const RunScores& scores, const ConfidenceSums& confidences,
                       const std::vector<RunScores>& ood, const RunContext& context,
                       Evaluation& evaluation) {
  EqualWidthSums with_all_ood = confidences.bins;
  for (const RunScores& set : ood) {
    const ConfidenceSums of_set = sumConfidences(set, evaluation.ece_bins, true, context);
    evaluation.ood.push_back({});
    evaluation.ood.back().name = set.name;
    evaluation.ood.back().n = set.itemCount();
    evaluation.ood.back().mmc =
        set.confidence() == nullptr ? kNaN : meanOf(of_set.sum, set.itemCount());
    if (evaluation.n > 0 && scores.confidence() != nullptr) {
      EqualWidthSums with_set = confidences.bins;
      with_set.add(of_set.bins);
      with_all_ood.add(of_set.bins);
      evaluation.with_ood[set.name] = errorOf(with_set);
      evaluation.with_ood["all"] = errorOf(with_all_ood);
    }
  }
}

using Tasks = std::vector<std::function<void()>>;

/// Runs the tasks on the context's threads.
void runTogether(const Tasks& tasks, const RunContext& context) {
  context.parallelFor(
      static_cast<std::int64_t>(tasks.size()), 1,
      [&](std::int64_t task, std::int64_t) { tasks[static_cast<std::size_t>(task)](); });
}

/// Adds what computes all rankings by one score; the other arguments outlive `tasks`.
void addRankings(const SortedScore& sorted, const GatheredScores& scores, const RunContext& context,
                 Evaluation& evaluation, Tasks& tasks) {
  const ItemScore& score = *sorted.score;
  const SortedGroups& in = sorted.in;
  const RankOrder certain_first = score.certainFirst();
  if (evaluation.n > 0) {
    SelectiveMetrics& metrics = evaluation.misclassified[score.name()];
    tasks.emplace_back([&metrics, &in, &context, certain_first] {
      metrics = walkMetrics({{&in.correct}, {&in.misclassified}}, certain_first, context);
    });
    if (score.measure == Measure::kConfidence) {
      tasks.emplace_back([&evaluation, &in, &context] {
        evaluation.aece = equalMassOfSorted(in.correct, in.misclassified, evaluation.ece_bins,
                                            context, confidenceOfRank)
                              .ece;
      });
    }
  }
  const std::vector<const SortedScores*> all_in{&in.correct, &in.misclassified, &in.unlabelled};
  for (std::size_t j = 0; j < sorted.ood.size(); ++j) {
    if (!sorted.ood[j]) {
      continue;
    }
    OodEvaluation& result = evaluation.ood[j];
    const std::vector<const SortedScores*> all_ood{&*sorted.ood[j]};
    RankMetrics& in_vs_ood = result.in_vs_ood[score.name()];
    tasks.emplace_back([&in_vs_ood, &context, all_in, all_ood, certain_first] {
      in_vs_ood = walkRankMetrics({all_in, all_ood}, certain_first, context);
    });
    if (scores.in.itemCount() > 0 && !sorted.ood[j]->empty()) {
      const RankOrder uncertain_first =
          highIsCertain(score.measure) ? RankOrder::kLowFirst : RankOrder::kHighFirst;
      double& aupr = result.aupr_ood_positive[score.name()];
      tasks.emplace_back([&aupr, &context, all_in, all_ood, uncertain_first] {
        aupr = walkRankMetrics({all_ood, all_in}, uncertain_first, context).aupr;
      });
    }
    if (scores.in.correct > 0) {
      RankMetrics& correct_vs_ood = result.correct_vs_ood[score.name()];
      tasks.emplace_back([&correct_vs_ood, &in, &context, all_ood, certain_first] {
        correct_vs_ood = walkRankMetrics({{&in.correct}, all_ood}, certain_first, context);
      });
    }
  }
}

}  // namespace

Expected<GatheredScores> gatherAllScores(const Run& run, const std::vector<NamedRun>& ood,
                                         const EvaluationOptions& options,
                                         const RunContext& context) {
  if (Status status = options.check(); !status) {
    return failWith(status);
  }
  const std::vector<Measure> measures = options.measures();
  Expected<RunScores> in = gatherScores(run, "in-distribution", measures, context);
  if (!in) {
    return failWith(in);
  }
  if (Status status = checkLabels(run, in->name); !status) {
    return failWith(status);
  }
  Expected<std::vector<RunScores>> of_ood = gatherOodScores(ood, measures, context);
  if (!of_ood) {
    return failWith(of_ood);
  }
  return GatheredScores{std::move(*in), std::move(*of_ood)};
}

Expected<Evaluation> evaluateScores(const Run& run, const GatheredScores& scores,
                                    const EvaluationOptions& options, RunContext& context,
                                    const UseOfScore& also) {
  std::int64_t done = 0;
  const auto total = std::int64_t{6};
  const auto cancelledAfterStep = [&] {
    return context.step(kStage, ++done, total) == Step::kCancel;
  };
  Evaluation evaluation = evaluationWithCounts(run, scores.in, options.bins);
  if (cancelledAfterStep()) {
    return cancelled();
  }
  const ConfidenceSums confidences = sumConfidences(scores.in, options.bins, false, context);
  addConfidenceMetrics(scores.in, confidences, evaluation);
  evaluation.gauge = summariseGauges(run);
  if (evaluation.n > 0 && cancelledAfterStep()) {
    return cancelled();
  }
  addProbabilityMetrics(run, context, evaluation);
  addComputedMetrics(run, context, evaluation);
  addOodConfidences(scores.in, confidences, scores.ood, context, evaluation);
  // A ranking is a walk of one thread. Those by two scores keep two threads busy; the sorted values
  // of more would take much memory.
  constexpr std::size_t kScoresTogether = 2;
  const std::vector<ItemScore>& all = scores.in.scores;
  for (std::size_t first = 0; first < all.size(); first += kScoresTogether) {
    std::vector<SortedScore> sorted;
    for (std::size_t i = first; i < std::min(all.size(), first + kScoresTogether); ++i) {
      if (cancelledAfterStep()) {
        return cancelled();
      }
      sorted.push_back(sortScore(all[i], scores.in, scores.ood, context));
    }
    Tasks tasks;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (also) {
        tasks.emplace_back([&, i] { also(first + i, sorted[i]); });
      }
      addRankings(sorted[i], scores, context, evaluation, tasks);
    }
    runTogether(tasks, context);
  }
  return context.step(kStage, total, total) == Step::kCancel ? Expected<Evaluation>(cancelled())
                                                             : evaluation;
}

Expected<Evaluation> evaluate(const Run& run, const std::vector<NamedRun>& ood,
                              const EvaluationOptions& options, RunContext& context) {
  const Expected<GatheredScores> scores = gatherAllScores(run, ood, options, context);
  return scores ? evaluateScores(run, *scores, options, context, {})
                : Expected<Evaluation>(failWith(scores));
}

}  // namespace dubito
