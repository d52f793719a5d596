// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/study/sample_study.h"

#include <filesystem>
#include <limits>

#include "core/study/svg_chart.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

SeedStatistics twoSeeds(double mean) {
  return {.n = 2, .mean = mean, .std_dev = 0.01};
}

StudyLabelling labelled(LabellingRule rule, double share, double kept) {
  return {
      .rule = rule,
      .guaranteed = 0.9,
      .share = twoSeeds(share),
      .kept = kept > 0.0 ? twoSeeds(kept) : SeedStatistics{.n = 0, .mean = kNan, .std_dev = kNan},
      .effective_items = 100.0};
}

StudyCell cellOf(const StudyFolder& study, std::size_t row, std::size_t target) {
  // Rows get better by 0.02, and the second target is worse by 0.3.
  const double quality = 0.8 + 0.02 * static_cast<double>(row) - 0.3 * static_cast<double>(target);
  StudyCell cell{.row = row, .target = target, .seeds = study.seeds};
  for (const StudyColumn& column : studyColumns()) {
    cell.columns.push_back(twoSeeds(column.high_is_good ? quality : 1.0 - quality));
  }
  if (row > 0) {
    cell.differences.assign(kStudyDifferences.size(),
                            {.mean = 0.02, .interval = {0.01, 0.03}, .p = 0.004});
  }
  const double apart = 0.01 * (static_cast<double>(row) - 1.0);
  cell.labelling = {
      labelled(LabellingRule::kSource, target == 0 ? 0.6 : 0.3, (target == 0 ? 0.94 : 0.5) + apart),
      labelled(LabellingRule::kTarget, 0.0, 0.0),
      labelled(LabellingRule::kConformal, 0.4, 0.92 + apart),
      labelled(LabellingRule::kWeightedConformal, 0.5, 0.85 + apart)};
  if (row == 0) {
    cell.retraining.push_back({.rule = LabellingRule::kSource,
                               .guaranteed = 0.9,
                               .labels = twoSeeds(120.0),
                               .before = twoSeeds(0.5),
                               .automatic = twoSeeds(0.45),
                               .random = twoSeeds(0.7),
                               .uncertain = twoSeeds(0.75)});
  }
  for (const std::uint64_t seed : study.seeds) {
    const std::string end = std::to_string(row) + std::to_string(target) + std::to_string(seed);
    cell.runs.push_back({.seed = seed,
                         .target = study.path + "/runs/target" + end + ".npz",
                         .ood = {study.path + "/runs/ood" + end + ".npz"}});
  }
  return cell;
}

Chart chartOf(const std::string& title, int width) {
  return {.title = title,
          .x_label = "x",
          .y_label = "y",
          .x = {0, 1},
          .y = {0, 1},
          .series = {{.name = "line", .x = {0, 1}, .y = {0, 1}, .colour = rowColour(0)}},
          .width = width};
}

}  // namespace

StudyFolder sampleStudy(const std::string& path) {
  StudyFolder study{
      .path = path,
      .name = "Digits that turn",
      .seeds = {1, 2},
      .baseline = "plain/map",
      .score_misclassified = "confidence",
      .score_ood = "entropy",
      .targets = {{"upright", {"rotation"}, 0.0}, {"turned", {"rotation"}, 3.0}, {"dark"}},
      .ood = {"KMNIST"},
      .rows = {{"plain", "map"}, {"plain", "dropout"}, {"plain", "ensemble", 3}},
      .results = {},
      .bins = 15,
      .replicates = 2000,
      .labelling = StudyLabellingSettings{"confidence", 0.1, {0.9}},
      .retraining = StudyRetrainingSettings{"all", 100},
      .figure_seed = 1,
      .figures = {{.heading = "Wide ones",
                   .text = "What they show.",
                   .figures = {{"Wide", path + "/figures/001-wide.svg"}}},
                  {.heading = "Narrow ones",
                   .text = "What these show.",
                   .figures = {{"Narrow", path + "/figures/002-narrow.svg"}}}},
      .notes = {"Members are shared."},
      .failures = {{"plain, seed 3", "no memory"}}};
  for (std::size_t target = 0; target < 2; ++target) {
    for (std::size_t row = 0; row < study.rows.size(); ++row) {
      study.results.cells.push_back(cellOf(study, row, target));
    }
  }
  return study;
}

void writeSampleStudy(const std::string& path) {
  const StudyFolder study = sampleStudy(path);
  std::filesystem::create_directories(path + "/figures");
  writeBytes(path + "/table.json", toJson(study).dump(1));
  writeBytes(study.figures[0].figures[0].path, chartSvg(chartOf("Wide", 560)));
  writeBytes(study.figures[1].figures[0].path, chartSvg(chartOf("Narrow", 300)));
}

}  // namespace dubito::test
