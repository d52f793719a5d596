// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/measures/measures.h"
#include "core/metrics/calibration.h"
#include "core/metrics/classwise_calibration.h"
#include "core/metrics/proper_scores.h"
#include "core/metrics/run_scores.h"
#include "core/metrics/selective.h"

namespace dubito {
namespace {

constexpr const char* kStage = "evaluate";

/// Labels that are classes; those of the run are checked against K here, so that the metrics may
/// take a label that is none for a caller's bug.
Status checkLabels(const Run& run, const std::string& name) {
  const std::int64_t classes = run.classCount();
  for (std::int64_t i = 0; classes > 0 && i < run.labels.size(); ++i) {
    if (run.labels.data()[i] >= classes) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: item {} has the label {}, but there are {} classes; mend the "
                              "labels or choose the run that belongs to them",
                              name, run.ids.data()[i], run.labels.data()[i], classes));
    }
  }
  return {};
}

/// Whether the logits are those that the probabilities came from. Runs of several draws, or with a
/// temperature, may hold logits of something else.
template <class T>
bool logitsGive(const Array<T>& probs, const Array<float>& logits,
                const std::vector<std::int64_t>& items) {
  constexpr double kTolerance = 1e-5;
  if (logits.shape() != probs.shape()) {
    return false;
  }
  return std::all_of(items.begin(), items.end(), [&](std::int64_t i) {
    const std::vector<double> expected = softmax(logits.row(i));
    const std::span<const T> row = probs.row(i);
    return std::equal(expected.begin(), expected.end(), row.begin(),
                      [](double a, T b) { return std::abs(a - double{b}) <= kTolerance; });
  });
}

template <class T>
void addProperScores(const Run& run, const Array<T>& probs, const RunScores& scores,
                     Evaluation& evaluation) {
  const std::span<const std::int64_t> labels = run.labels.values();
  if (run.logits && logitsGive(probs, *run.logits, scores.labelled)) {
    evaluation.nll = negativeLogLikelihoodFromLogits(*run.logits, labels);
    evaluation.nll_convention = "log-softmax of the logits";
  } else {
    evaluation.nll = negativeLogLikelihood(probs, labels);
    evaluation.nll_convention =
        fmt::format("probabilities clamped at {:.3g}", double{std::numeric_limits<T>::min()});
  }
  evaluation.brier = brierScore(probs, labels);
}

void addCalibration(const RunScores& scores, std::int64_t bins, Evaluation& evaluation) {
  const std::vector<double> confidence = scores.confidence().certaintyOf(scores.labelled);
  const ReliabilityDiagram equal_width =
      equalWidthReliability(confidence, scores.labelled_correct, bins);
  evaluation.ece = equal_width.ece;
  evaluation.mce = equal_width.mce;
  evaluation.rmsce = equal_width.rmsce;
  evaluation.aece =
      equalMassReliability(confidence, scores.labelled_correct, bins, EqualMassTies::kKept).ece;
}

SelectiveMetrics selectiveMetrics(const ItemScore& score, const RunScores& scores) {
  const ThresholdTable table =
      thresholdTable(score.certaintyOf(scores.labelled), scores.labelled_correct);
  const RiskCoverage risk_coverage(table);
  SelectiveMetrics metrics;
  metrics.rank = rankMetrics(table);
  metrics.aurc = risk_coverage.aurc();
  metrics.eaurc = metrics.aurc - risk_coverage.oracleAurc();
  metrics.augrc = risk_coverage.augrc();
  return metrics;
}

std::vector<double> negated(std::vector<double> values) {
  std::transform(values.begin(), values.end(), values.begin(), std::negate<>());
  return values;
}

OodEvaluation evaluateOod(const RunScores& in, const RunScores& ood) {
  OodEvaluation result;
  result.name = ood.name;
  result.n = static_cast<std::int64_t>(ood.all_items.size());
  result.mmc = meanConfidence(ood.confidence().values);
  for (const ItemScore& score : in.scores) {
    const ItemScore* const score_of_ood = ood.find(score.name);
    if (score_of_ood == nullptr) {
      continue;
    }
    const std::vector<double> negatives = score_of_ood->certaintyOf(ood.all_items);
    const std::vector<double> positives = score.certaintyOf(in.all_items);
    result.in_vs_ood[score.name] = rankMetrics(thresholdTableOfGroups(positives, negatives));
    if (!positives.empty() && !negatives.empty()) {
      result.aupr_ood_positive[score.name] =
          averagePrecision(thresholdTableOfGroups(negated(negatives), negated(positives)));
    }
    if (!in.correct.empty()) {
      result.correct_vs_ood[score.name] =
          rankMetrics(thresholdTableOfGroups(score.certaintyOf(in.correct), negatives));
    }
  }
  return result;
}

/// Calibration of the labelled items together with OOD sets, all of whose items count as wrong.
CalibrationError calibrationWithOod(const RunScores& in, std::span<const RunScores> ood,
                                    std::int64_t bins) {
  std::vector<double> confidence = in.confidence().certaintyOf(in.labelled);
  for (const RunScores& set : ood) {
    const std::vector<double>& values = set.confidence().values;
    confidence.insert(confidence.end(), values.begin(), values.end());
  }
  std::vector<std::uint8_t> correct = in.labelled_correct;
  correct.resize(confidence.size(), 0);
  const ReliabilityDiagram diagram = equalWidthReliability(confidence, correct, bins);
  return {diagram.ece, diagram.mce};
}

}  // namespace

Expected<Evaluation> evaluate(const Run& run, const std::vector<NamedRun>& ood,
                              const EvaluationOptions& options, RunContext& context) {
  if (Status status = options.check(); !status) {
    return failWith(status);
  }
  std::int64_t done = 0;
  const auto total = static_cast<std::int64_t>(ood.size()) * 2 + 6;
  const auto cancelledAfterStep = [&] {
    return context.step(kStage, ++done, total) == Step::kCancel;
  };
  const Expected<RunScores> scores = gatherScores(run, "in-distribution", context);
  if (!scores) {
    return failWith(scores);
  }
  if (Status status = checkLabels(run, scores->name); !status) {
    return failWith(status);
  }
  const Expected<std::vector<RunScores>> ood_scores = gatherOodScores(ood, context);
  if (!ood_scores) {
    return failWith(ood_scores);
  }
  Evaluation evaluation;
  evaluation.name = scores->name;
  evaluation.method = run.meta.method;
  evaluation.n = static_cast<std::int64_t>(scores->labelled.size());
  evaluation.unlabelled = static_cast<std::int64_t>(scores->unlabelled.size());
  evaluation.classes = scores->classes;
  evaluation.ece_bins = options.bins;
  evaluation.mmc = meanConfidence(scores->confidence().values);
  if (cancelledAfterStep()) {
    return cancelled();
  }
  if (evaluation.n > 0) {
    evaluation.accuracy = accuracyOf(run.predictions.values(), run.labels.values());
    addCalibration(*scores, options.bins, evaluation);
    if (cancelledAfterStep()) {
      return cancelled();
    }
    if (run.probs) {
      std::visit(
          [&](const auto& probs) {
            addProperScores(run, probs, *scores, evaluation);
            evaluation.classwise_ece =
                classwiseCalibration(probs, run.labels.values(), options.bins, context).mean;
          },
          *run.probs);
    }
    for (const ItemScore& score : scores->scores) {
      if (cancelledAfterStep()) {
        return cancelled();
      }
      evaluation.misclassified[score.name] = selectiveMetrics(score, *scores);
    }
  }
  for (const RunScores& set : *ood_scores) {
    evaluation.ood.push_back(evaluateOod(*scores, set));
    if (cancelledAfterStep()) {
      return cancelled();
    }
    if (evaluation.n > 0) {
      evaluation.with_ood[set.name] = calibrationWithOod(*scores, {&set, 1}, options.bins);
    }
  }
  if (evaluation.n > 0 && !ood_scores->empty()) {
    evaluation.with_ood["all"] = calibrationWithOod(*scores, *ood_scores, options.bins);
  }
  return context.step(kStage, total, total) == Step::kCancel ? Expected<Evaluation>(cancelled())
                                                             : evaluation;
}

}  // namespace dubito
