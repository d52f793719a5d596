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
#include "core/metrics/measure.h"
#include "core/metrics/metric_info.h"
#include "core/metrics/ranking.h"

namespace dubito {

/// Options of an evaluation.
struct EvaluationOptions {
  /// Number of equal-width bins of the reliability diagram.
  std::int64_t bins = 15;
  /// Comma-separated keys of the measures that rank the items, see measuresOfKeys. Empty for
  /// defaultMeasures.
  std::string scores = {};

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  /// The measures of `scores`. Call only after a successful check().
  [[nodiscard]] std::vector<Measure> measures() const;

  friend bool operator==(const EvaluationOptions&, const EvaluationOptions&) = default;
};

/// Comparison of the in-distribution run with one out-of-distribution (OOD) run. The maps are
/// indexed by score name.
struct OodEvaluation {
  std::string name;                                   ///< of the OOD run, see NamedRun
  std::int64_t n = 0;                                 ///< OOD items
  double mmc = 0.0;                                   ///< mean maximum confidence of the OOD items
  std::map<std::string, RankMetrics> correct_vs_ood;  ///< positives: correct predictions only
  std::map<std::string, RankMetrics> in_vs_ood;       ///< positives: all in-distribution items
  /// Average precision with the OOD items as positives, most uncertain items first.
  std::map<std::string, double> aupr_ood_positive;
};

/// Calibration error if every OOD item counts as wrong.
struct CalibrationError {
  double ece = 0.0;
  double mce = 0.0;
};

/// Statistics of one honesty gauge (approximation error) over the items of a run.
struct GaugeStatistics {
  std::int64_t n = 0;  ///< items with a value
  double mean = 0.0;
  double max = 0.0;
};

/// Statistics of all honesty gauges of a run (HonestyGauge), each an approximation error of a
/// closed form.
struct GaugeSummary {
  GaugeStatistics bridge;                     ///< of max_k |p_bridge - p_mc|, in [0, 1]
  GaugeStatistics probit;                     ///< of max_k |p_probit - p_mc|, in [0, 1]
  std::optional<GaugeStatistics> divergence;  ///< of the KL divergence in nats; three classes only
};

/// All metrics of one run. Fractions are in [0, 1]; metrics that cannot be computed are absent, or
/// NaN if they belong to a group of metrics (such as AUROC if nothing is misclassified). Scores are
/// named by the keys of their measures.
struct Evaluation {
  std::string name;             ///< of the dataset
  std::string method;           ///< of the run
  std::int64_t n = 0;           ///< labelled items
  std::int64_t unlabelled = 0;  ///< items left out of metrics that need labels
  std::int64_t classes = 0;     ///< 0: unknown (confidences only)
  std::optional<ReviewedLabelSource> reviewed_labels = {};  ///< absent: the labels of the dataset
  std::optional<double> accuracy, nll, brier, ece, mce, rmsce, aece, classwise_ece;
  /// How `nll` was computed: "log-softmax of the logits", or from clamped probabilities.
  std::string nll_convention;
  /// Number of items whose NLL is clamped, because the probability of their true class is too
  /// small.
  std::int64_t nll_clamped = 0;
  /// Number of items whose true class is masked by a logit of minus infinity; one suffices to make
  /// `nll` infinite.
  std::int64_t masked_labels = 0;
  double mmc = 0.0;  ///< mean maximum confidence over all items, labelled or not
  std::int64_t ece_bins = 0;
  std::map<std::string, SelectiveMetrics>
      misclassified;  ///< positives: correct; negatives: misclassified
  std::vector<OodEvaluation> ood;
  std::map<std::string, CalibrationError> with_ood;  ///< by OOD name, and for "all"
  std::optional<GaugeSummary> gauge;                 ///< of all items, labelled or not
  std::map<Metric, double> computed;                 ///< metrics that have no member above
};

/// An OOD run and its display name.
struct NamedRun {
  std::string name;
  const Run* run = nullptr;
};

/// Computes every metric that `run` allows. Labels of OOD runs are ignored; their number of classes
/// may differ. kInvalidArgument for duplicate OOD names and the name "all", kMalformed for
/// non-finite scores and invalid labels, kCancelled.
[[nodiscard]] Expected<Evaluation> evaluate(const Run& run, const std::vector<NamedRun>& ood,
                                            const EvaluationOptions& options, RunContext& context);

/// The JSON object of `evaluate --json`. Metrics that are absent or NaN have no key.
[[nodiscard]] nlohmann::json toJson(const Evaluation& evaluation);

/// One row of the metric table.
struct MetricRow {
  std::string group;  ///< "MNIST", "misclassified", "OOD fashion"
  std::string name;   ///< "ECE (15 bins, L1, equal width, top-label)"
  std::string score;  ///< "confidence", ..., or empty
  double value = 0.0;
  bool is_fraction = false;  ///< shown in per cent
  bool is_count = false;     ///< a whole number
  std::string explanation;   ///< meaning and which direction is better, for a tooltip
  /// Key of the glossary entry: the key of its MetricInfo, or of the measure that it summarises.
  /// Empty for counts.
  std::string topic = {};
};
/// The rows of all metrics with a value, group by group.
[[nodiscard]] std::vector<MetricRow> toRows(const Evaluation& evaluation);

/// The rows as aligned plain text, for a terminal.
[[nodiscard]] std::string formatTable(const std::vector<MetricRow>& rows);

/// The text of metrics.csv: a header line, then the group, metric, score and value of each row,
/// with the value in full precision.
[[nodiscard]] std::string metricsCsv(const Evaluation& evaluation);

/// The value of a row as displayed: "99.13 %", "0.03028", "10000".
[[nodiscard]] std::string formatValue(const MetricRow& row);

/// The data of all plots of the Overview page. Items are grouped into correct, misclassified, OOD
/// and unlabelled.
struct Overview {
  /// Histograms with the same edges for all groups; empty for empty groups.
  struct ScoreHistograms {
    Measure measure = Measure::kConfidence;
    Histogram correct, misclassified, ood, unlabelled;
  };
  std::vector<ScoreHistograms> histograms;
  ReliabilityDiagram reliability;
  /// One curve per score, thinned for drawing; `summary` is the exact AUROC or AP. Positives are
  /// the correct predictions; negatives are the OOD items if there are any, else the misclassified
  /// items. Empty if there are no positives or no negatives.
  std::vector<Curve> roc, precision_recall;
  /// Accuracy of the retained items (y) by the share retained (x): one curve per score, thinned for
  /// drawing; `summary` is the AURC. Empty if no item is labelled.
  std::vector<Curve> rejection;
  std::string ranking_convention;  ///< "positive: correct · negative: OOD"
  double positive_share = 0.0;     ///< baseline of the precision-recall plot
  std::int64_t correct = 0, misclassified = 0, ood = 0, unlabelled = 0;
};
/// Computes the data of the Overview page. Errors of evaluate().
[[nodiscard]] Expected<Overview> makeOverview(const Run& run, const std::vector<NamedRun>& ood,
                                              const EvaluationOptions& options,
                                              RunContext& context);

}  // namespace dubito
