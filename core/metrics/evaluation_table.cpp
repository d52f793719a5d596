// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/io/csv.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/metric_info.h"

namespace dubito {
namespace {

/// Appends the rows of one group; metrics without a value have no row.
class RowWriter {
 public:
  RowWriter(std::vector<MetricRow>& rows, std::string group)
      : rows_(rows), group_(std::move(group)) {}

  /// `explanation`: empty for the metric's standard explanation.
  void add(Metric metric, const std::string& name, const std::string& score, double value,
           const std::string& explanation = {}) {
    if (!std::isnan(value)) {
      const MetricInfo& info = describe(metric);
      rows_.push_back({group_, name, score, value, info.is_fraction, false,
                       explanation.empty() ? explain(metric) : explanation, info.key});
    }
  }
  void addCount(const std::string& name, std::int64_t count, const std::string& explanation) {
    rows_.push_back({group_, name, "", static_cast<double>(count), false, true, explanation});
  }
  /// Mean and maximum of a gauge, unless no item has a value.
  void addGauge(const std::string& name, const GaugeStatistics& statistics, const std::string& what,
                const char* topic) {
    if (statistics.n > 0) {
      rows_.push_back({group_, name + ", mean", "", statistics.mean, false, false,
                       what + "; mean over the items", topic});
      rows_.push_back({group_, name + ", max", "", statistics.max, false, false,
                       what + "; the worst item", topic});
    }
  }

 private:
  std::vector<MetricRow>& rows_;
  std::string group_;
};

void addRank(RowWriter& writer, const std::string& score, const RankMetrics& metrics) {
  for (const Metric metric : allMetrics()) {
    if (const MetricInfo& info = describe(metric); info.of_ranking != nullptr) {
      writer.add(metric, metric == Metric::kFpr95 ? "FPR at 95 % TPR" : info.symbol, score,
                 info.of_ranking(metrics));
    }
  }
}

/// Counts that qualify the NLL.
void addCountsOfNll(RowWriter& writer, const Evaluation& evaluation) {
  if (evaluation.nll_clamped > 0) {
    writer.addCount(
        "items clamped in the NLL", evaluation.nll_clamped,
        fmt::format("the probability of their true class was 0 or too small for its type, so "
                    "that the NLL is too low ({}); logits would give the exact value",
                    evaluation.nll_convention));
  }
  if (evaluation.masked_labels > 0) {
    writer.addCount(
        "labels of masked classes", evaluation.masked_labels,
        "items whose true class has a logit of minus infinity, that is, probability 0, which "
        "makes the NLL infinite");
  }
}

void addWholeSet(RowWriter& writer, const Evaluation& evaluation) {
  writer.addCount("items", evaluation.n,
                  "items with a label; metrics that need labels are computed over these");
  if (evaluation.unlabelled > 0) {
    writer.addCount("items without a label", evaluation.unlabelled,
                    "left out of metrics that need labels");
  }
  if (const auto& labels = evaluation.reviewed_labels) {
    writer.addCount(describe(*labels), labels->changed,
                    "items whose label was changed by review; metrics that need labels use the "
                    "reviewed labels in place of the given ones");
  }
  for (const Metric metric : allMetrics()) {
    if (isOfSet(metric)) {
      const std::string convention = metric == Metric::kNll ? evaluation.nll_convention : "";
      writer.add(metric, rowName(metric, evaluation.ece_bins), "", valueOf(evaluation, metric),
                 explain(metric, convention));
    }
    if (metric == Metric::kNll) {
      addCountsOfNll(writer, evaluation);
    }
  }
}

void addSelective(RowWriter& writer, const std::string& score, const SelectiveMetrics& metrics) {
  addRank(writer, score, metrics.rank);
  for (const Metric metric : allMetrics()) {
    if (const MetricInfo& info = describe(metric); info.of_selection != nullptr) {
      writer.add(metric, info.symbol, score, info.of_selection(metrics));
    }
  }
}

void addWithOod(std::vector<MetricRow>& rows, const std::string& group,
                const CalibrationError& error, std::int64_t bins) {
  RowWriter writer(rows, group);
  writer.add(Metric::kEce, rowName(Metric::kEce, bins), "", error.ece,
             "calibration error if every OOD item counts as wrong; lower is better");
  writer.add(Metric::kMce, rowName(Metric::kMce, bins), "", error.mce,
             "largest gap of a bin if every OOD item counts as wrong; lower is better");
}

void addGauges(RowWriter& writer, const GaugeSummary& gauge) {
  const std::string against = " and the average of draws from the same Gaussian, in [0, 1]";
  writer.addGauge(
      "bridge", gauge.bridge,
      "largest difference of a class's probability between the Laplace bridge" + against,
      "gauge_bridge");
  writer.addGauge(
      "probit", gauge.probit,
      "largest difference of a class's probability between the probit approximation" + against,
      "gauge_probit");
  if (gauge.divergence) {
    writer.addGauge("KL of the densities (nats)", *gauge.divergence,
                    "divergence of the bridge's Dirichlet from the density of softmax(z); 0 is "
                    "exact",
                    "gauge_divergence");
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
    about.addCount("items", set.n, "items of the OOD set, none left out");
    about.add(Metric::kMmc, "MMC", "", set.mmc,
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
      in.add(Metric::kAveragePrecision, "AP, positive: OOD", score, aupr,
             "average precision of finding the OOD items among all; higher is better; the share of "
             "OOD items is chance level");
    }
  }
  for (const auto& [name, error] : evaluation.with_ood) {
    if (name != "all") {
      addWithOod(rows, fmt::format("with OOD {} as wrong", name), error, evaluation.ece_bins);
    }
  }
  // With a single OOD set "all" would repeat it.
  if (const auto all = evaluation.with_ood.find("all");
      all != evaluation.with_ood.end() && evaluation.ood.size() > 1) {
    addWithOod(rows, "with all OOD sets as wrong", all->second, evaluation.ece_bins);
  }
  if (evaluation.gauge) {
    RowWriter gauge(rows, "approximation error (honesty gauge)");
    addGauges(gauge, *evaluation.gauge);
  }
  return rows;
}

namespace {

/// Number of characters: bytes of a UTF-8 text that begin one.
std::size_t displayWidth(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padding(const std::string& text, std::size_t width) {
  const std::size_t used = displayWidth(text);
  return std::string(width > used ? width - used : 0, ' ');
}

/// Numbers without a unit are padded by its width, so that all figures end in one column.
std::string cellOf(const MetricRow& row) {
  return row.is_fraction ? formatValue(row) : formatValue(row) + "  ";
}

/// One line of a group: a metric with a value per score (or one for the empty score).
struct Line {
  std::string name;
  std::map<std::string, std::string> cells;
};

/// A group as a small table: one line per metric, one column per score.
struct Group {
  std::string name;
  std::vector<std::string> scores;  ///< in order of appearance
  std::vector<Line> lines;

  void add(const MetricRow& row) {
    if (std::find(scores.begin(), scores.end(), row.score) == scores.end()) {
      scores.push_back(row.score);
    }
    auto line =
        std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.name == row.name; });
    if (line == lines.end()) {
      line = lines.insert(lines.end(), Line{row.name, {}});
    }
    line->cells[row.score] = cellOf(row);
  }
};

std::vector<Group> groupsOf(const std::vector<MetricRow>& rows) {
  std::vector<Group> groups;
  for (const MetricRow& row : rows) {
    if (groups.empty() || groups.back().name != row.group) {
      groups.push_back({row.group, {}, {}});
    }
    groups.back().add(row);
  }
  return groups;
}

std::string headingOf(std::string score) {
  std::replace(score.begin(), score.end(), '_', ' ');
  // Aligned with the figures, not with their unit.
  return score.empty() ? score : score + "  ";
}

void appendLine(std::string& text, const std::string& line) {
  text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::string formatValue(const MetricRow& row) {
  if (row.is_count) {
    return fmt::format("{:.0f}", row.value);
  }
  // One digit more than tables in papers.
  return row.is_fraction ? fmt::format("{:.3f} %", 100.0 * row.value)
                         : fmt::format("{:.5f}", row.value);
}

std::string formatTable(const std::vector<MetricRow>& rows) {
  const std::vector<Group> groups = groupsOf(rows);
  std::size_t name_width = 0;
  std::size_t cell_width = 0;
  for (const MetricRow& row : rows) {
    name_width = std::max(name_width, displayWidth(row.name));
    cell_width = std::max({cell_width, cellOf(row).size(), headingOf(row.score).size()});
  }
  std::string text;
  for (const Group& group : groups) {
    std::string heading = group.name;
    if (group.scores.size() > 1 || !group.scores.front().empty()) {
      heading += padding(heading, name_width + 2);
      for (const std::string& score : group.scores) {
        const std::string title = headingOf(score);
        heading += "  " + padding(title, cell_width) + title;
      }
    }
    text += text.empty() ? "" : "\n";
    appendLine(text, heading);
    for (const Line& line : group.lines) {
      std::string printed = "  " + line.name + padding(line.name, name_width);
      for (const std::string& score : group.scores) {
        const auto cell = line.cells.find(score);
        const std::string value = cell == line.cells.end() ? "" : cell->second;
        printed += "  " + padding(value, cell_width) + value;
      }
      appendLine(text, printed);
    }
  }
  return text;
}

std::string metricsCsv(const Evaluation& evaluation) {
  std::string csv = "group,metric,score,value\n";
  for (const MetricRow& row : toRows(evaluation)) {
    csv += fmt::format("{},{},{},{}\n", csvField(row.group), csvField(row.name),
                       csvField(row.score), row.value);
  }
  return csv;
}

}  // namespace dubito
