// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>

#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

enum class Kind { kNumber, kFraction, kCount };

/// Collects the rows of one group; metrics without a value make no row.
class RowWriter {
 public:
  RowWriter(std::vector<MetricRow>& rows, std::string group)
      : rows_(rows), group_(std::move(group)) {}

  void add(const std::string& name, const std::string& score, double value, Kind kind,
           const std::string& explanation) {
    if (!std::isnan(value)) {
      rows_.push_back(
          {group_, name, score, value, kind == Kind::kFraction, kind == Kind::kCount, explanation});
    }
  }
  void add(const std::string& name, const std::optional<double>& value, Kind kind,
           const std::string& explanation) {
    if (value) {
      add(name, "", *value, kind, explanation);
    }
  }
  void add(const std::string& name, std::int64_t count, const std::string& explanation) {
    add(name, "", static_cast<double>(count), Kind::kCount, explanation);
  }

 private:
  std::vector<MetricRow>& rows_;
  std::string group_;
};

void addRank(RowWriter& writer, const std::string& score, const RankMetrics& metrics) {
  writer.add("AUROC", score, metrics.auroc, Kind::kNumber,
             "chance that a positive item scores above a negative one, ties count half; higher is "
             "better, 0.5 is guessing");
  writer.add("AP", score, metrics.aupr, Kind::kNumber,
             "average precision: area under the precision-recall steps over distinct thresholds; "
             "higher is better, the share of positives is guessing");
  writer.add("FPR at 95 % TPR", score, metrics.fpr95, Kind::kFraction,
             "share of the negatives that pass where at least 95 % of the positives do; lower is "
             "better");
}

void addWholeSet(RowWriter& writer, const Evaluation& evaluation) {
  const std::int64_t bins = evaluation.ece_bins;
  writer.add("items", evaluation.n, "items with a label; what needs labels is over these");
  if (evaluation.unlabelled > 0) {
    writer.add("items without a label", evaluation.unlabelled,
               "left out of everything that needs labels");
  }
  writer.add("accuracy", evaluation.accuracy, Kind::kFraction,
             "share of right predictions; higher is better");
  writer.add("NLL", evaluation.nll, Kind::kNumber,
             fmt::format("mean negative log probability of the true class, natural log ({}); lower "
                         "is better",
                         evaluation.nll_convention));
  if (evaluation.nll_clamped > 0) {
    writer.add(
        "items at the clamp of the NLL", evaluation.nll_clamped,
        fmt::format("the probability of their true class was 0 or too small for its type, so "
                    "that the NLL is too low ({}); logits would tell it",
                    evaluation.nll_convention));
  }
  if (evaluation.masked_labels > 0) {
    writer.add("labels of masked classes", evaluation.masked_labels,
               "items whose true class has a logit of minus infinity and so probability 0, which "
               "makes the NLL infinite");
  }
  writer.add("Brier (sum over classes)", evaluation.brier, Kind::kNumber,
             "mean squared distance between probabilities and truth, in [0, 2]; lower is better");
  writer.add(fmt::format("ECE ({} bins, L1, equal width, top-label)", bins), evaluation.ece,
             Kind::kFraction,
             "expected calibration error: gap between confidence and accuracy, averaged over the "
             "items; lower is better");
  writer.add(fmt::format("MCE ({} bins, equal width, top-label)", bins), evaluation.mce,
             Kind::kFraction,
             "largest gap between confidence and accuracy of a bin that is not empty; lower is "
             "better");
  writer.add(fmt::format("RMSCE ({} bins, L2, equal width, top-label)", bins), evaluation.rmsce,
             Kind::kFraction, "root mean square calibration error; lower is better");
  writer.add(fmt::format("adaptive ECE ({} bins, L1, equal mass, ties kept together)", bins),
             evaluation.aece, Kind::kFraction,
             "calibration error over bins of equal counts; lower is better");
  writer.add(fmt::format("class-wise ECE ({} bins, L1, equal width)", bins),
             evaluation.classwise_ece, Kind::kFraction,
             "calibration error of each class's probability, mean over the classes; lower is "
             "better");
  writer.add("MMC", "", evaluation.mmc, Kind::kFraction,
             "mean maximum confidence over all items, labelled or not");
}

void addSelective(RowWriter& writer, const std::string& score, const SelectiveMetrics& metrics) {
  addRank(writer, score, metrics.rank);
  writer.add("AURC", score, metrics.aurc, Kind::kNumber,
             "area under the risk-coverage curve: mean error rate of the items kept first; lower "
             "is better");
  writer.add("E-AURC", score, metrics.eaurc, Kind::kNumber,
             "AURC beyond that of a score which keeps every error for last; lower is better");
  writer.add("AUGRC", score, metrics.augrc, Kind::kNumber,
             "area under the generalised risk: errors among the kept over all items; lower is "
             "better");
}

void addWithOod(std::vector<MetricRow>& rows, const std::string& group,
                const CalibrationError& error, std::int64_t bins) {
  RowWriter writer(rows, group);
  writer.add(fmt::format("ECE ({} bins, L1, equal width, top-label)", bins), "", error.ece,
             Kind::kFraction,
             "calibration error when every OOD item counts as wrong; lower is better");
  writer.add(fmt::format("MCE ({} bins, equal width, top-label)", bins), "", error.mce,
             Kind::kFraction,
             "largest gap of a bin when every OOD item counts as wrong; lower is better");
}

void addGauge(RowWriter& writer, const std::string& name, const GaugeStatistics& statistics,
              const std::string& what) {
  if (statistics.n > 0) {
    writer.add(name + ", mean", "", statistics.mean, Kind::kNumber, what + "; mean over the items");
    writer.add(name + ", max", "", statistics.max, Kind::kNumber, what + "; the worst item");
  }
}

void addGauges(RowWriter& writer, const GaugeSummary& gauge) {
  const std::string against = " and the average of draws from the same Gaussian, in [0, 1]";
  addGauge(writer, "bridge", gauge.bridge,
           "largest difference of a class's probability between the Laplace Bridge" + against);
  addGauge(writer, "probit", gauge.probit,
           "largest difference of a class's probability between the probit form" + against);
  if (gauge.divergence) {
    addGauge(writer, "KL of the densities (nats)", *gauge.divergence,
             "divergence of the bridge's Dirichlet from the density of softmax(z); 0 is exact");
  }
}

}  // namespace

std::vector<MetricRow> toRows(const Evaluation& evaluation) {
  std::vector<MetricRow> rows;
  RowWriter whole_set(rows, evaluation.name);
  addWholeSet(whole_set, evaluation);
  RowWriter misclassified(rows, "correct (positive) vs misclassified");
  for (const auto& [score, metrics] : evaluation.misclassified) {
    addSelective(misclassified, score, metrics);
  }
  for (const OodEvaluation& set : evaluation.ood) {
    RowWriter about(rows, "OOD " + set.name);
    about.add("items", set.n, "items of the OOD set, none left out");
    about.add("MMC", "", set.mmc, Kind::kFraction,
              fmt::format("mean maximum confidence on OOD items; lower is better{}",
                          evaluation.classes > 0
                              ? fmt::format(", at best 1/K = {:.4g}",
                                            1.0 / static_cast<double>(evaluation.classes))
                              : ""));
    RowWriter correct(rows, "correct (positive) vs OOD " + set.name);
    for (const auto& [score, metrics] : set.correct_vs_ood) {
      addRank(correct, score, metrics);
    }
    RowWriter in(rows, "in-distribution (positive) vs OOD " + set.name);
    for (const auto& [score, metrics] : set.in_vs_ood) {
      addRank(in, score, metrics);
    }
    for (const auto& [score, aupr] : set.aupr_ood_positive) {
      in.add("AP, positive: OOD", score, aupr, Kind::kNumber,
             "average precision of finding the OOD items among all; higher is better, the share of "
             "OOD items is guessing");
    }
  }
  for (const auto& [name, error] : evaluation.with_ood) {
    if (name != "all") {
      addWithOod(rows, fmt::format("with OOD {} as wrong", name), error, evaluation.ece_bins);
    }
  }
  // With one OOD set "all" says the same again.
  if (const auto all = evaluation.with_ood.find("all");
      all != evaluation.with_ood.end() && evaluation.ood.size() > 1) {
    addWithOod(rows, "with all OOD sets as wrong", all->second, evaluation.ece_bins);
  }
  if (evaluation.gauge) {
    RowWriter gauge(rows, "honesty gauge: closed forms against draws");
    addGauges(gauge, *evaluation.gauge);
  }
  return rows;
}

}  // namespace dubito
