// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>

#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

Evaluation exampleEvaluation() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Evaluation evaluation;
  evaluation.name = "MNIST";
  evaluation.n = 10000;
  evaluation.classes = 10;
  evaluation.accuracy = 0.9819;
  evaluation.nll = 0.08111;
  evaluation.ece = 0.01189;
  evaluation.ece_bins = 15;
  evaluation.mmc = 0.97;
  evaluation.misclassified["entropy"] = {{nan, nan, nan}, 0.001, 0.0005, 0.0007};
  evaluation.ood.push_back({"fashion", 500, 0.4, {{"entropy", {0.947, 0.95, 0.2}}}, {}, {}});
  evaluation.with_ood["fashion"] = {0.25, 0.5};
  return evaluation;
}

const MetricRow& rowOf(const std::vector<MetricRow>& rows, const std::string& name) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const MetricRow& r) { return r.name == name; });
  if (row == rows.end()) {
    throw std::runtime_error("no row " + name);
  }
  return *row;
}

TEST(MetricRows, nameTheirConventionsAndExplainThemselves) {
  const std::vector<MetricRow> rows = toRows(exampleEvaluation());
  const MetricRow& ece = rowOf(rows, "ECE (15 bins, L1, equal width, top-label)");
  EXPECT_EQ(ece.group, "MNIST");
  EXPECT_DOUBLE_EQ(ece.value, 0.01189);
  EXPECT_TRUE(ece.is_fraction);
  for (const MetricRow& row : rows) {
    EXPECT_FALSE(row.explanation.empty()) << row.name;
    EXPECT_FALSE(row.group.empty()) << row.name;
    EXPECT_FALSE(row.value != row.value) << row.name;
  }
}

TEST(MetricRows, leaveOutWhatHasNoValue) {
  const std::vector<MetricRow> rows = toRows(exampleEvaluation());
  std::multiset<std::string> names;
  for (const MetricRow& row : rows) {
    names.insert(row.name);
  }
  EXPECT_EQ(names.count("AUROC"), 1U) << "the one against OOD; the other is not defined";
  EXPECT_EQ(names.count("AURC"), 1U);
  EXPECT_EQ(names.count("Brier (sum over classes)"), 0U);
}

TEST(MetricRows, formatValuesWithTheirUnit) {
  const std::vector<MetricRow> rows = toRows(exampleEvaluation());
  EXPECT_EQ(formatValue(rowOf(rows, "accuracy")), "98.190 %");
  EXPECT_EQ(formatValue(rowOf(rows, "NLL")), "0.08111");
  EXPECT_EQ(formatValue(rowOf(rows, "items")), "10000");
}

TEST(MetricRows, tableIsAligned) {
  const std::vector<MetricRow> rows = toRows(exampleEvaluation());
  const std::string table = formatTable(rows);
  std::istringstream lines(table);
  std::string line;
  std::set<std::size_t> ends_of_percent;
  std::set<std::string> headings;
  std::size_t metric_lines = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(line.find_last_not_of(' '), line.size() - 1) << "trailing space: " << line;
    if (line.starts_with("  ")) {
      ++metric_lines;
      if (line.ends_with(" %")) {
        ends_of_percent.insert(line.size());
      }
    } else if (!line.empty()) {
      headings.insert(line);
    }
  }
  EXPECT_EQ(metric_lines, rows.size());
  EXPECT_EQ(ends_of_percent.size(), 1U);
  EXPECT_EQ(headings, (std::set<std::string>{"MNIST", "correct (positive) vs misclassified",
                                             "OOD fashion", "correct (positive) vs OOD fashion",
                                             "with OOD fashion as wrong"}));
  EXPECT_EQ(formatTable({}), "");
}

}  // namespace
}  // namespace dubito
