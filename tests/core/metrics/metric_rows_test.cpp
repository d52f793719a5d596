// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>

#include "core/metrics/evaluation.h"
#include "tests/support/matchers.h"

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

TEST(MetricRows, NameTheirConventionsAndExplainThemselves) {
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

TEST(MetricRows, LeaveOutWhatHasNoValue) {
  const std::vector<MetricRow> rows = toRows(exampleEvaluation());
  std::multiset<std::string> names;
  for (const MetricRow& row : rows) {
    names.insert(row.name);
  }
  EXPECT_EQ(names.count("AUROC"), 1U) << "the one against OOD; the other is not defined";
  EXPECT_EQ(names.count("AURC"), 1U);
  EXPECT_EQ(names.count("Brier (sum over classes)"), 0U);
}

TEST(MetricRows, FormatValuesWithTheirUnit) {
  const std::vector<MetricRow> rows = toRows(exampleEvaluation());
  EXPECT_EQ(formatValue(rowOf(rows, "accuracy")), "98.190 %");
  EXPECT_EQ(formatValue(rowOf(rows, "NLL")), "0.08111");
  EXPECT_EQ(formatValue(rowOf(rows, "items")), "10000");
}

TEST(MetricRows, AllOodSetsTogetherAreNamedWhereThereAreSeveral) {
  Evaluation evaluation = exampleEvaluation();
  evaluation.with_ood["all"] = {0.3, 0.6};
  const auto hasAll = [](const std::vector<MetricRow>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const MetricRow& row) {
      return row.group == "with all OOD sets as wrong";
    });
  };
  EXPECT_FALSE(hasAll(toRows(evaluation)));
  evaluation.ood.push_back({"kmnist", 10, 0.5, {}, {}, {}});
  EXPECT_TRUE(hasAll(toRows(evaluation)));
}

TEST(MetricRows, TableHasMetricsDownAndScoresAcross) {
  const std::vector<MetricRow> rows{
      {"set", "accuracy", "", 0.5, true, false, "e"},
      {"set", "items", "", 12, false, true, "e"},
      {"ranking", "AUROC", "confidence", 0.75, false, false, "e"},
      {"ranking", "FPR at 95 % TPR", "confidence", 0.125, true, false, "e"},
      {"ranking", "AUROC", "mutual_information", 0.5, false, false, "e"}};
  EXPECT_EQ(formatTable(rows),
            "set\n"
            "  accuracy                     50.000 %\n"
            "  items                            12\n"
            "\n"
            "ranking                    confidence    mutual information\n"
            "  AUROC                       0.75000               0.50000\n"
            "  FPR at 95 % TPR              12.500 %\n");
  EXPECT_EQ(formatTable({}), "");
}

TEST(MetricRows, EveryRowIsInTheTable) {
  const std::vector<MetricRow> rows = toRows(exampleEvaluation());
  const std::string table = formatTable(rows);
  for (const MetricRow& row : rows) {
    EXPECT_THAT(table, HasSubstr(row.group)) << row.group;
    EXPECT_THAT(table, HasSubstr(row.name)) << row.name;
    EXPECT_THAT(table, HasSubstr(formatValue(row))) << row.name;
  }
}

TEST(MetricRows, BecomeCsvWithAllDigits) {
  Evaluation evaluation = exampleEvaluation();
  evaluation.name = "a \"b\", c";
  evaluation.ece = 0.1 + 0.2;
  const std::string csv = metricsCsv(evaluation);
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "group,metric,score,value");
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    ++count;
  }
  EXPECT_EQ(count, toRows(evaluation).size());
  EXPECT_THAT(csv, HasSubstr("\n\"a \"\"b\"\", c\",\"ECE (15 bins, L1, equal width, top-label)\",,"
                             "0.30000000000000004\n"));
}

}  // namespace
}  // namespace dubito
