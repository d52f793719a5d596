// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <set>

#include "core/io/run_file.h"
#include "core/metrics/measure.h"
#include "core/metrics/run_reliability.h"
#include "core/study/study_tables.h"

namespace dubito {
namespace {

constexpr Interval kUnit{0.0, 1.0};

/// The runs of a row on a target with the seed of the figures.
struct ShownRuns {
  std::size_t row = 0;
  Run run;
  std::vector<Run> ood;

  [[nodiscard]] std::vector<NamedRun> named(const StudySpec& spec) const {
    std::vector<NamedRun> all;
    for (std::size_t i = 0; i < ood.size(); ++i) {
      all.push_back({spec.ood[i].name, &ood[i]});
    }
    return all;
  }
};

Expected<std::vector<ShownRuns>> openShown(const StudySpec& spec, const StudyPlan& plan,
                                           const std::string& target, RunContext& context) {
  std::vector<ShownRuns> shown;
  for (const std::size_t row : shownRows(spec)) {
    const auto task = std::ranges::find_if(plan.evaluations, [&](const EvaluationTask& one) {
      return one.row == row && spec.targets[one.target].name == target &&
             spec.seeds[one.seed_index] == spec.figures.seed;
    });
    std::vector<std::size_t> wanted{task->run};
    wanted.insert(wanted.end(), task->ood.begin(), task->ood.end());
    const bool is_there = std::ranges::all_of(wanted, [&](std::size_t run) {
      std::error_code ignored;
      return std::filesystem::exists(plan.runs[run].path, ignored);
    });
    if (!is_there) {
      continue;
    }
    std::vector<Run> runs;
    for (const std::size_t one : wanted) {
      auto run = readRun(plan.runs[one].path, context);
      if (!run) {
        return failWith(run);
      }
      runs.push_back(*std::move(run));
    }
    ShownRuns of_row{.row = row, .run = std::move(runs.front()), .ood = {}};
    of_row.ood.assign(std::make_move_iterator(runs.begin() + 1),
                      std::make_move_iterator(runs.end()));
    shown.push_back(std::move(of_row));
  }
  return shown;
}

ChartSeries ofRow(const StudySpec& spec, std::size_t row, ChartStyle style) {
  return {.name = spec.rows[row].name(),
          .style = style,
          .x = {},
          .y = {},
          .colour = rowColour(row),
          .dashed = isRowDashed(row)};
}

ChartSeries diagonal() {
  return {.name = "",
          .style = ChartStyle::kLine,
          .x = {0, 1},
          .y = {0, 1},
          .colour = "#9BA3AF",
          .dashed = true};
}

/// Adds the shares of a histogram as steps, unless it is empty.
void addHistogram(Chart& chart, const Histogram& histogram, const char* name, const char* colour,
                  bool is_outline = false) {
  if (histogram.total == 0) {
    return;
  }
  ChartSeries series{.name = fmt::format("{} ({})", name, histogram.total),
                     .style = ChartStyle::kArea,
                     .x = histogram.edges,
                     .y = {},
                     .colour = colour,
                     .dashed = is_outline};
  for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
    series.y.push_back(histogram.share(bin));
  }
  chart.series.push_back(std::move(series));
}

Chart histogramChart(const std::string& name, const Overview::ScoreHistograms& histograms) {
  Chart chart{.title = name,
              .note = "share of each group per bin",
              .x_label = describe(histograms.measure).axis_label,
              .y_label = "share",
              .x = kUnit,
              .y = kUnit,
              .series = {},
              .width = 300,
              .height = 220};
  addHistogram(chart, histograms.correct, "correct", "#0072B2");
  addHistogram(chart, histograms.misclassified, "misclassified", "#D55E00");
  addHistogram(chart, histograms.ood, "OOD", "#1F2328", /*is_outline=*/true);
  if (!chart.series.empty()) {
    chart.x = {chart.series.front().x.front(), chart.series.front().x.back()};
  }
  return chart;
}

/// The curve of one score as a series of the row.
void addCurve(Chart& chart, const StudySpec& spec, std::size_t row,
              const std::vector<Curve>& curves, const std::string& score, const char* summary) {
  const auto measure = measureOfKey(score);
  const auto curve = std::ranges::find_if(curves, [&](const Curve& one) {
    return one.name == score || (measure && one.name == describe(*measure).name);
  });
  if (curve == curves.end()) {
    return;
  }
  ChartSeries series = ofRow(spec, row, ChartStyle::kLine);
  series.name += fmt::format(" ({} {:.3f})", summary, curve->summary);
  series.x = curve->x;
  series.y = curve->y;
  chart.series.push_back(std::move(series));
}

/// Gives all histograms the same axis, up to the highest share, so that methods can be compared.
void shareHeight(std::vector<Chart>& histograms) {
  double highest = 0.0;
  for (const Chart& chart : histograms) {
    for (const ChartSeries& series : chart.series) {
      highest = std::max(highest, std::ranges::max(series.y));
    }
  }
  for (Chart& chart : histograms) {
    chart.y.high = std::clamp(1.05 * highest, 0.05, 1.0);
  }
}

Chart unitChart(std::string title, std::string note, const char* x, const char* y) {
  return {.title = std::move(title),
          .note = std::move(note),
          .x_label = x,
          .y_label = y,
          .x = kUnit,
          .y = kUnit,
          .series = {},
          .width = 400,
          .height = 380};
}

Expected<ChartSeries> calibrationOf(const StudySpec& spec, const ShownRuns& shown, bool with_ood,
                                    const RunContext& context) {
  std::vector<const Run*> ood;
  for (const Run& run : shown.ood) {
    ood.push_back(&run);
  }
  const auto reliability = makeReliability(
      shown.run, ood, {.bins = spec.evaluation.bins, .with_ood = with_ood}, context);
  if (!reliability) {
    return failWith(reliability);
  }
  ChartSeries series = ofRow(spec, shown.row, ChartStyle::kMarkers);
  const ReliabilityDiagram& diagram = (*reliability)->diagram;
  series.name += fmt::format(" (ECE {:.3f})", diagram.ece);
  for (const ReliabilityBin& bin : diagram.bins) {
    if (bin.count > 0) {
      series.x.push_back(bin.confidence);
      series.y.push_back(bin.accuracy);
    }
  }
  return series;
}

/// All figures of one target.
Expected<FigureGroup> figuresOfTarget(const StudySpec& spec, const std::string& target,
                                      const std::vector<ShownRuns>& shown, RunContext& context) {
  FigureGroup group{.heading = fmt::format("{}, seed {}", target, spec.figures.seed),
                    .text = fmt::format("Positives of the curves are the correct predictions. "
                                        "Misclassified items are ranked by {}, OOD items by {}.",
                                        spec.score_misclassified, spec.score_ood),
                    .charts = {}};
  std::vector<Chart> curves{
      unitChart("Calibration without OOD", "target only", "confidence", "accuracy"),
      unitChart("ROC, correct vs misclassified", "", "false positive rate", "true positive rate"),
      unitChart("Precision-recall, correct vs misclassified", "", "recall", "precision")};
  if (!spec.ood.empty()) {
    curves.insert(curves.begin() + 1, unitChart("Calibration with OOD", "OOD items count as wrong",
                                                "confidence", "accuracy"));
    curves.push_back(unitChart("ROC, correct vs OOD", "all OOD sets", "false positive rate",
                               "true positive rate"));
    curves.push_back(
        unitChart("Precision-recall, correct vs OOD", "all OOD sets", "recall", "precision"));
  }
  const std::size_t first_curve = spec.ood.empty() ? 1 : 2;
  for (std::size_t i = 0; i < first_curve; ++i) {
    curves[i].series.push_back(diagonal());
  }
  for (const ShownRuns& one : shown) {
    EvaluationOptions options = spec.evaluation;
    options.scores = spec.score_misclassified == spec.score_ood
                         ? spec.score_ood
                         : spec.score_misclassified + "," + spec.score_ood;
    const auto plain = makeOverview(one.run, {}, options, context);
    const auto with_ood = makeOverview(one.run, one.named(spec), options, context);
    if (!plain || !with_ood) {
      return plain ? failWith(with_ood) : failWith(plain);
    }
    for (const Overview::ScoreHistograms& histograms : with_ood->histograms) {
      group.charts.push_back(histogramChart(spec.rows[one.row].name(), histograms));
    }
    for (std::size_t i = 0; i < first_curve; ++i) {
      auto series = calibrationOf(spec, one, i == 1, context);
      if (!series) {
        return failWith(series);
      }
      curves[i].series.push_back(*std::move(series));
    }
    addCurve(curves[first_curve], spec, one.row, plain->roc, spec.score_misclassified, "AUROC");
    addCurve(curves[first_curve + 1], spec, one.row, plain->precision_recall,
             spec.score_misclassified, "AP");
    if (!spec.ood.empty()) {
      addCurve(curves[first_curve + 2], spec, one.row, with_ood->roc, spec.score_ood, "AUROC");
      addCurve(curves[first_curve + 3], spec, one.row, with_ood->precision_recall, spec.score_ood,
               "AP");
    }
  }
  shareHeight(group.charts);
  group.charts.insert(group.charts.end(), curves.begin(), curves.end());
  return group;
}

/// Moves the series a little to the side, so that bars at the same severity do not hide each other.
void moveApart(Chart& chart, double span) {
  const double reach = 0.03 * span;
  const auto last = static_cast<double>(chart.series.size()) - 1.0;
  for (std::size_t i = 0; i < chart.series.size() && last > 0.0; ++i) {
    for (double& x : chart.series[i].x) {
      x += reach * (2.0 * static_cast<double>(i) / last - 1.0);
    }
  }
}

/// Mean and standard deviation of a column against the severity of a shift, one series per row.
Chart severityChart(const StudySpec& spec, const StudyResults& results, const std::string& shift,
                    const char* key) {
  const std::size_t column = studyColumnIndex(key);
  Chart chart{.title = fmt::format("{} against {}", studyColumns()[column].title, shift),
              .note = "mean ± standard deviation over seeds, moved apart a little",
              .x_label = fmt::format("severity of {}", shift),
              .y_label = studyColumns()[column].title,
              .x = {0.0, 1.0},
              .y = kUnit,
              .series = {}};
  // "accuracy" is the title of a column.
  chart.title.front() =
      static_cast<char>(std::toupper(static_cast<unsigned char>(chart.title.front())));
  double highest = 0.0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const std::size_t row : shownRows(spec)) {
    std::vector<std::pair<double, SeedStatistics>> points;
    for (const StudyCell& cell : results.cells) {
      const StudySet& target = spec.targets[cell.target];
      if (cell.row == row && std::ranges::count(target.shifts, shift) > 0 &&
          cell.columns[column].n > 0) {
        points.emplace_back(*target.severity, cell.columns[column]);
      }
    }
    std::ranges::sort(points, {}, [](const auto& point) { return point.first; });
    ChartSeries series = ofRow(spec, row, ChartStyle::kMarkers);
    for (const auto& [severity, value] : points) {
      const double reach = std::isnan(value.std_dev) ? 0.0 : value.std_dev;
      series.x.push_back(severity);
      series.y.push_back(value.mean);
      series.bars.push_back({value.mean - reach, value.mean + reach});
      highest = std::max(highest, value.mean + reach);
      low = std::min(low, severity);
      high = std::max(high, severity);
    }
    if (!points.empty()) {
      chart.series.push_back(std::move(series));
    }
  }
  if (low <= high) {
    moveApart(chart, low < high ? high - low : 1.0);
    const double margin = low < high ? 0.05 * (high - low) : 0.5;
    chart.x = {low - margin, high + margin};
  }
  chart.y.high =
      std::string(key) == "accuracy" ? 1.0 : std::max(0.05, std::min(1.0, 1.05 * highest));
  return chart;
}

/// A value of the labelling by target: mean and range over the rows.
Chart labellingChart(const StudySpec& spec, const StudyResults& results, double guaranteed,
                     bool shows_share) {
  Chart chart{.title = shows_share
                           ? fmt::format("Share labelled at {:g} %", 100.0 * guaranteed)
                           : fmt::format("Precision kept, guaranteed {:g} %", 100.0 * guaranteed),
              .note = shows_share ? "mean and range over the methods"
                                  : "mean and range over the methods that label anything",
              .x_label = "",
              .y_label = shows_share ? "share of the target" : "share of right labels",
              .x = {-0.6, static_cast<double>(spec.targets.size()) - 0.4},
              .y = kUnit,
              .series = {},
              .width = 560,
              .height = 330};
  for (const StudySet& target : spec.targets) {
    chart.categories.push_back(target.name);
  }
  const std::vector<std::size_t> rows = shownRows(spec);
  for (int rule = 0; rule < kLabellingRules; ++rule) {
    ChartSeries series{.name = nameOf(static_cast<LabellingRule>(rule)),
                       .style = ChartStyle::kPoints,
                       .x = {},
                       .y = {},
                       .colour = rowColour(static_cast<std::size_t>(rule))};
    for (std::size_t target = 0; target < spec.targets.size(); ++target) {
      std::vector<double> values;
      for (const StudyCell* const cell : cellsOf(results, target)) {
        for (const StudyLabelling& one : cell->labelling) {
          const SeedStatistics& value = shows_share ? one.share : one.kept;
          if (std::ranges::count(rows, cell->row) > 0 &&
              one.rule == static_cast<LabellingRule>(rule) && one.guaranteed == guaranteed &&
              value.n > 0) {
            values.push_back(value.mean);
          }
        }
      }
      if (!values.empty()) {
        series.x.push_back(static_cast<double>(target) + 0.16 * (rule - 1.5));
        series.y.push_back(seedStatistics(values).mean);
        series.bars.push_back({std::ranges::min(values), std::ranges::max(values)});
      }
    }
    chart.series.push_back(std::move(series));
  }
  if (!shows_share) {
    chart.series.push_back({.name = "guarantee",
                            .style = ChartStyle::kLine,
                            .x = {chart.x.low, chart.x.high},
                            .y = {guaranteed, guaranteed},
                            .colour = "#59636E",
                            .dashed = true});
  }
  return chart;
}

}  // namespace

std::vector<std::size_t> shownRows(const StudySpec& spec) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < spec.rows.size(); ++i) {
    if (spec.figures.rows.empty() ||
        std::ranges::count(spec.figures.rows, spec.rows[i].name()) > 0) {
      rows.push_back(i);
    }
  }
  return rows;
}

Expected<std::vector<FigureGroup>> seedFigures(const StudySpec& spec, const StudyPlan& plan,
                                               RunContext& context) {
  std::vector<FigureGroup> groups;
  for (const std::string& target : spec.figures.targets) {
    const auto shown = openShown(spec, plan, target, context);
    if (!shown) {
      return failWith(shown);
    }
    if (shown->empty()) {
      continue;
    }
    auto group = figuresOfTarget(spec, target, *shown, context);
    if (!group) {
      return failWith(group);
    }
    groups.push_back(*std::move(group));
  }
  return groups;
}

FigureGroup severityFigures(const StudySpec& spec, const StudyResults& results) {
  FigureGroup group{.heading = "Severity of the shift",
                    .text = "How accuracy and calibration follow the shift.",
                    .charts = {}};
  std::set<std::string> seen;
  for (const StudySet& target : spec.targets) {
    for (const std::string& shift : target.shifts) {
      if (seen.insert(shift).second) {
        for (const char* const key : {"accuracy", "ece"}) {
          group.charts.push_back(severityChart(spec, results, shift, key));
        }
      }
    }
  }
  return group;
}

FigureGroup labellingFigures(const StudySpec& spec, const StudyResults& results) {
  FigureGroup group{
      .heading = "Automatic labelling: guaranteed and kept",
      .text =
          "Whether rules keep their guarantee (dashed) on each target, and how much they label. "
          "Points are means over the methods, bars their range.",
      .charts = {}};
  if (spec.labelling) {
    for (const double guaranteed : spec.labelling->targets) {
      group.charts.push_back(labellingChart(spec, results, guaranteed, /*shows_share=*/false));
      group.charts.push_back(labellingChart(spec, results, guaranteed, /*shows_share=*/true));
    }
  }
  return group;
}

}  // namespace dubito
