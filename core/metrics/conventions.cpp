// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/conventions.h"

#include <fmt/format.h>

#include <limits>
#include <type_traits>
#include <utility>

#include "core/io/log_rest.h"
#include "core/metrics/classwise_calibration.h"
#include "core/metrics/labelled_rows.h"
#include "core/metrics/labelled_scores.h"
#include "core/metrics/reliability_diagram.h"
#include "core/metrics/selective.h"
#include "core/metrics/tool_conventions.h"

namespace dubito {
namespace {

constexpr std::int64_t kUsualBins = 15;
constexpr const char* kCalibration = "Calibration error";
constexpr const char* kBrier = "Brier score";
constexpr const char* kLikelihood = "Negative log-likelihood, nats";
constexpr const char* kPrecisionRecall = "Area under the precision–recall curve, by confidence";
constexpr const char* kRiskCoverage = "Area under the risk–coverage curve, by confidence";

/// The labelled items of a run.
struct Items {
  std::vector<double> confidence;
  std::vector<double> stored;  ///< confidence in the type of the probabilities, as in other tools
  std::vector<double> log_rest;
  std::vector<std::uint8_t> correct;
};

Items labelledItems(const Run& run, bool is_float32, const RunContext& context) {
  Items items;
  const Array<double> log_rest = logRestOf(run, context);
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    if (const std::int64_t label = run.labels.data()[i]; label >= 0) {
      const double confidence = run.confidence.data()[i];
      items.confidence.push_back(confidence);
      items.stored.push_back(is_float32 ? double{static_cast<float>(confidence)} : confidence);
      items.log_rest.push_back(log_rest.data()[i]);
      items.correct.push_back(label == run.predictions.data()[i] ? 1 : 0);
    }
  }
  return items;
}

void addTopLabel(const Items& items, bool is_float32, std::vector<ConventionRow>& rows) {
  const auto add = [&](std::string name, std::string used_by, std::string explanation,
                       double value) {
    rows.push_back(
        {kCalibration, std::move(name), std::move(used_by), std::move(explanation), value, true});
  };
  const std::span<const double> confidence = items.confidence;
  const std::span<const std::uint8_t> correct = items.correct;
  const ReliabilityDiagram usual = equalWidthReliability(confidence, correct, kUsualBins);
  const std::span<const double> stored = items.stored;
  const CalibrationErrors torchmetrics =
      torchmetricsCalibration(stored, correct, kUsualBins, is_float32);
  add("15 bins (l, r], L1", "Dubito; Guo et al. 2017",
      "expected calibration error: mean gap between accuracy and confidence over bins of equal "
      "width",
      usual.ece);
  add("15 bins [l, r), 1.0 separate, L1", "torchmetrics 1.9, torch-uncertainty 0.13",
      "a confidence of exactly 1 falls into a sixteenth bin", torchmetrics.l1);
  add("10 bins [l, r), L1", "netcal 1.4", "the last bin is closed",
      netcalCalibration(stored, correct, 10));
  add("20 bins (l, r], L1", "Feng (thesis)",
      "more bins give more noise: biased upwards if there are few items",
      equalWidthReliability(confidence, correct, 20).ece);
  add("100 bins [l, r), only below 0.99, L1", "laplace-redux (Daxberger et al. 2021)",
      "its loop omits the last bin, so items at 0.99 and above are left out",
      laplaceReduxCalibration(stored, correct));
  add("15 bins [l, r), 1.0 separate, L2", "torchmetrics 1.9 with norm='l2'",
      "root mean square calibration error (RMSCE)", torchmetrics.l2);
  add("15 bins (l, r], max", "Dubito (MCE); Guo et al. 2017",
      "maximum calibration error: a bin with few items may determine it", usual.mce);
  add("15 bins [l, r), 1.0 separate, max", "torchmetrics 1.9 with norm='max'",
      "maximum calibration error over its sixteen bins", torchmetrics.max);
  add("15 equal-mass bins, ties kept, L1", "Dubito (adaptive)",
      "does not depend on the order of the items",
      equalMassReliability(confidence, correct, kUsualBins, EqualMassTies::kKept).ece);
  add("15 equal-mass bins, ties split, L1", "torch-uncertainty 0.13 (adaptive)",
      "items with equal confidence may fall into two bins, depending on their order",
      equalMassReliability(stored, correct, kUsualBins, EqualMassTies::kSplit).ece);
}

template <class T>
void addOfProbabilities(const Run& run, const Array<T>& probs, const RunContext& context,
                        std::vector<ConventionRow>& rows) {
  const std::span<const std::int64_t> labels = run.labels.values();
  const std::int64_t classes = probs.extent(1);
  rows.push_back(
      {kCalibration, "each class, 15 bins (l, r], L1", "Dubito (class-wise); Kull et al. 2019",
       "every probability against whether its class is the true one, mean over the classes",  //
       classwiseCalibration(probs, labels, kUsualBins, context).mean, true});
  if (classes == 2) {
    std::vector<double> second;
    std::vector<std::uint8_t> is_second;
    for (const std::int64_t i : labelledRows(probs, labels)) {
      second.push_back(double{probs.row(i)[1]});
      is_second.push_back(labels[static_cast<std::size_t>(i)] == 1 ? 1 : 0);
    }
    rows.push_back(
        {kCalibration, "P(second class), 15 bins [l, r), L1", "torchmetrics 1.9 with task='binary'",
         "for the second class, not for the predicted one",
         torchmetricsCalibration(second, is_second, kUsualBins, std::is_same_v<T, float>).l1,
         true});
  }
  const LabelledScores scores =
      labelledScores(probs, run.logits ? &*run.logits : nullptr, labels, context);
  rows.push_back({kBrier, "sum over the classes",
                  classes > 2 ? "Dubito, torch-uncertainty 0.13, scikit-learn 1.9, laplace-redux"
                              : "Dubito, torch-uncertainty 0.13, laplace-redux",
                  "mean over the items, in [0, 2]", scores.brier, false});
  rows.push_back(
      {kBrier, "half of the sum",
       classes > 2 ? "scikit-learn 1.9 with scale_by_half=True" : "scikit-learn 1.9 (two classes)",
       "in [0, 1]; the usual Brier score for two classes", scores.brier / 2.0, false});
  rows.push_back({kBrier, "mean over the classes", "LB_for_BNNs (Hobbhahn et al. 2020)",
                  "the sum divided by the number of classes",
                  scores.brier / static_cast<double>(classes), false});
  constexpr double kEpsilon{std::numeric_limits<T>::epsilon()};
  rows.push_back({kLikelihood,
                  scores.nll_is_of_logits
                      ? std::string("log-softmax of the logits")
                      : fmt::format("p not below {:.2g}", double{std::numeric_limits<T>::min()}),
                  scores.nll_is_of_logits ? "Dubito; torch cross_entropy" : "Dubito",
                  "as exact as the run allows", scores.nll, false});
  rows.push_back({kLikelihood, fmt::format("p in [{0:.2g}, 1 - {0:.2g}]", kEpsilon),
                  "scikit-learn 1.9 (log_loss)",
                  "clipped by the precision of the stored numbers; hides confident mistakes",
                  clippedNegativeLogLikelihood(probs, labels, kEpsilon), false});
  rows.push_back({kLikelihood, "p in [1e-15, 1 - 1e-15]", "scikit-learn before 1.2 (log_loss)",
                  "the same for every number type",
                  clippedNegativeLogLikelihood(probs, labels, 1e-15), false});
  rows.push_back({kLikelihood, "p unclipped", "torch-uncertainty 0.13",
                  "infinite if a true class has probability 0",
                  clippedNegativeLogLikelihood(probs, labels, 0.0), false});
}

void addRiskCoverage(const ThresholdTable& of_correct, std::vector<ConventionRow>& rows) {
  const RiskCoverage coverage(of_correct);
  const auto add = [&](const char* name, const char* used_by, const char* explanation,
                       double value) {
    rows.push_back({kRiskCoverage, name, used_by, explanation, value, false});
  };
  add("AURC, mean over k = 1..N", "Dubito; Geifman and El-Yaniv 2017",
      "mean error rate of the k most confident items", coverage.aurc());
  add("AURC, trapezoids over k = 1..N", "torch-uncertainty 0.13",
      "straight lines between the points, divided by 1 - 1/N", coverage.aurcTrapezoidFromFirst());
  add("E-AURC, exact oracle", "Dubito", "AURC minus that of a score that ranks every error last",
      coverage.excessAurc());
  add("E-AURC, approximate oracle", "Geifman, Uziel and El-Yaniv 2019",
      "the oracle's AURC is approximated by r + (1 - r) ln(1 - r), where r is the error rate",
      coverage.excessAurcGeifman());
  add("AUGRC, trapezoids over k = 0..N", "Dubito; Traub et al. 2024",
      "errors among the k most confident items, as a share of all items", coverage.augrc());
  add("AUGRC, trapezoids over k = 1..N", "torch-uncertainty 0.13", "divided by 1 - 1/N",
      coverage.augrcTrapezoidFromFirst());
}

void addAreas(const Items& items, std::vector<ConventionRow>& rows) {
  // By log(1 - confidence), which orders like the confidence but does not round to 1.
  std::vector<double> certainty;
  std::vector<std::uint8_t> wrong;
  for (std::size_t i = 0; i < items.correct.size(); ++i) {
    certainty.push_back(-items.log_rest[i]);
    wrong.push_back(items.correct[i] != 0 ? 0 : 1);
  }
  const ThresholdTable of_correct = thresholdTable(certainty, items.correct);
  const ThresholdTable of_wrong = thresholdTable(items.log_rest, wrong);
  const auto add = [&](const char* name, const char* used_by, const char* explanation,
                       double value) {
    rows.push_back({kPrecisionRecall, name, used_by, explanation, value, false});
  };
  add("positive: correct, steps", "Dubito; scikit-learn average_precision_score, torchmetrics",
      "average precision; near 1 whenever the accuracy is", averagePrecision(of_correct));
  add("positive: correct, trapezoids", "scikit-learn auc(recall, precision)",
      "straight lines between the points, starting at precision 1",
      trapezoidalPrecisionRecall(of_correct));
  add("positive: misclassified, steps", "Hendrycks and Gimpel 2017 (AUPR Err)",
      "average precision of detecting mistakes, least confident first", averagePrecision(of_wrong));
  add("positive: misclassified, trapezoids", "scikit-learn auc(recall, precision)",
      "straight lines between the points, starting at precision 1",
      trapezoidalPrecisionRecall(of_wrong));
  addRiskCoverage(of_correct, rows);
}

}  // namespace

Expected<std::vector<ConventionRow>> metricConventions(const Run& run, RunContext& context) {
  std::vector<ConventionRow> rows;
  const bool is_float32 = !run.probs || std::holds_alternative<Array<float>>(*run.probs);
  const Items items = labelledItems(run, is_float32, context);
  if (items.confidence.empty()) {
    return rows;
  }
  const auto cancelledAfter = [&](std::int64_t done) {
    return context.step("conventions", done, 3) == Step::kCancel;
  };
  addTopLabel(items, is_float32, rows);
  if (cancelledAfter(1)) {
    return cancelled();
  }
  if (run.probs) {
    std::visit([&](const auto& probs) { addOfProbabilities(run, probs, context, rows); },
               *run.probs);
  }
  if (cancelledAfter(2)) {
    return cancelled();
  }
  addAreas(items, rows);
  return cancelledAfter(3) ? Expected<std::vector<ConventionRow>>(cancelled()) : rows;
}

}  // namespace dubito
