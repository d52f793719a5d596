// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/gauge_summary.h"
#include "core/metrics/measure.h"
#include "core/metrics/metric_info.h"
#include "core/metrics/ranking.h"

namespace dubito {

/// How a set is evaluated.
struct EvaluationOptions {
  /// Equal-width bins of the reliability diagram.
  std::int64_t bins = 15;
  /// What items are ranked by: keys of measures, see measuresOfKeys. Empty: usualMeasures.
  std::string scores = {};

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  /// The measures of `scores`; check() has accepted them.
  [[nodiscard]] std::vector<Measure> measures() const;

  friend bool operator==(const EvaluationOptions&, const EvaluationOptions&) = default;
};

/// RankMetrics with the selective-prediction areas of the same score.
struct SelectiveMetrics {
  RankMetrics rank;
  double aurc = 0.0;
  double eaurc = 0.0;
  double augrc = 0.0;
};

/// In-distribution run against one out-of-distribution run; keys are score names.
struct OodEvaluation {
  std::string name;
  std::int64_t n = 0;
  double mmc = 0.0;
  std::map<std::string, RankMetrics> correct_vs_ood;  ///< positive: correct predictions alone
  std::map<std::string, RankMetrics> in_vs_ood;       ///< positive: every in-distribution item
  /// Average precision of in_vs_ood with the roles turned round. Positive: OOD, high uncertainty
  /// first.
  std::map<std::string, double> aupr_ood_positive;
};

/// Calibration when every OOD item counts as wrong.
struct CalibrationError {
  double ece = 0.0;
  double mce = 0.0;
};

/// All metrics of one run. Fractions in [0, 1]; what the run cannot give is absent, or NaN inside a
/// group of metrics (AUROC where nothing is misclassified). Scores are named by the keys of their
/// measures.
struct Evaluation {
  std::string name;             ///< of the dataset
  std::string method;           ///< of the run
  std::int64_t n = 0;           ///< labelled items
  std::int64_t unlabelled = 0;  ///< items left out of everything that needs labels
  std::int64_t classes = 0;     ///< 0: not known (confidences only)
  std::optional<double> accuracy, nll, brier, ece, mce, rmsce, aece, classwise_ece;
  /// How `nll` was made: "log-softmax of the logits", or from probabilities with their clamp.
  std::string nll_convention;
  /// Items whose NLL is at that clamp: their true class had a probability below it.
  std::int64_t nll_clamped = 0;
  /// Labels of classes that the network masks with logits of minus infinity; one makes `nll`
  /// infinite.
  std::int64_t masked_labels = 0;
  double mmc = 0.0;  ///< mean maximum confidence over all items, labelled or not
  std::int64_t ece_bins = 0;
  std::map<std::string, SelectiveMetrics>
      misclassified;  ///< positive: correct; negative: misclassified
  std::vector<OodEvaluation> ood;
  std::map<std::string, CalibrationError> with_ood;  ///< by OOD name, and "all"
  std::optional<GaugeSummary> gauge;                 ///< of all items, labelled or not
  std::map<Metric, double> computed;                 ///< metrics that no member above holds
};

/// An OOD run under the name that tables show.
struct NamedRun {
  std::string name;
  const Run* run = nullptr;
};

/// Every metric that `run` can give. The labels of OOD runs are not looked at; K may differ.
/// kInvalidArgument for OOD names that repeat or are "all", kMalformed for scores that are not
/// numbers and labels that are no class, kCancelled.
[[nodiscard]] Expected<Evaluation> evaluate(const Run& run, const std::vector<NamedRun>& ood,
                                            const EvaluationOptions& options, RunContext& context);

/// The object of `evaluate --json`: metrics that are absent or NaN have no key.
[[nodiscard]] nlohmann::json toJson(const Evaluation& evaluation);

/// One row of the metric table as people read it.
struct MetricRow {
  std::string group;  ///< "MNIST", "misclassified", "OOD fashion"
  std::string name;   ///< "ECE (15 bins, L1, equal width, top-label)"
  std::string score;  ///< "confidence", ..., or empty
  double value = 0.0;
  bool is_fraction = false;  ///< shown in per cent
  bool is_count = false;     ///< a whole number
  std::string explanation;   ///< what it is and which way is better, for a tooltip
  /// What the glossary calls it: the key of its MetricInfo, or the score name of an item's measure
  /// that it sums up. Empty for counts.
  std::string topic = {};
};
/// The rows of all metrics that have a value, group by group.
[[nodiscard]] std::vector<MetricRow> toRows(const Evaluation& evaluation);

/// The rows as aligned plain text, for a terminal.
[[nodiscard]] std::string formatTable(const std::vector<MetricRow>& rows);

/// The rows as the text of metrics.csv: a header, then group, metric, score and value, the value
/// with as many digits as a double holds.
[[nodiscard]] std::string metricsCsv(const Evaluation& evaluation);

/// The value of a row as the table prints it: "99.13 %", "0.03028", "10000".
[[nodiscard]] std::string formatValue(const MetricRow& row);

/// Everything the Overview draws, made off the GUI thread. Groups: correct, misclassified, OOD;
/// items without a label are a group of their own.
struct Overview {
  /// The histograms of the groups share their edges. Empty groups are absent.
  struct ScoreHistograms {
    Measure measure = Measure::kConfidence;
    Histogram correct, misclassified, ood, unlabelled;
  };
  std::vector<ScoreHistograms> histograms;
  ReliabilityDiagram reliability;
  /// One curve per score, `summary` the AUROC or AP of all items; its points are thinned for
  /// drawing. Negatives: OOD where there is any, else misclassified. Empty if a group is.
  std::vector<Curve> roc, precision_recall;
  /// Accuracy of the retained items against their share, one curve per score, `summary` the AURC;
  /// thinned for drawing. Empty if no item is labelled.
  std::vector<Curve> rejection;
  std::string ranking_convention;  ///< "positive: correct · negative: OOD"
  double positive_share = 0.0;     ///< baseline of the precision-recall plot
  std::int64_t correct = 0, misclassified = 0, ood = 0, unlabelled = 0;
};
/// Errors as evaluate().
[[nodiscard]] Expected<Overview> makeOverview(const Run& run, const std::vector<NamedRun>& ood,
                                              const EvaluationOptions& options,
                                              RunContext& context);

}  // namespace dubito
