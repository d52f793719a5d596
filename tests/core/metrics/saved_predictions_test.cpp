// SPDX-License-Identifier: GPL-3.0-or-later
// Saved predictions of real networks against the table in datasets/README.md, digit by digit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/io/prediction_file.h"
#include "core/metrics/evaluation.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

std::vector<std::string> splitTrimmed(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  std::string part;
  while (std::getline(stream, part, separator)) {
    const std::size_t begin = part.find_first_not_of(' ');
    parts.push_back(begin == std::string::npos
                        ? ""
                        : part.substr(begin, part.find_last_not_of(' ') - begin + 1));
  }
  return parts;
}

/// One row of the table; the figures as they are printed, "-" or empty where there is none.
struct TableRow {
  std::string file;
  std::string accuracy;
  std::string nll;
  std::string brier;
  std::string ece10;
  std::string ece15;
  std::string ece20;
  std::string mce15;
};

std::vector<TableRow> readTable(const std::filesystem::path& readme) {
  std::ifstream file(readme);
  std::string line;
  while (std::getline(file, line) && !line.starts_with("## Predictions")) {
  }
  std::vector<TableRow> rows;
  while (std::getline(file, line) && !line.starts_with("Temperature")) {
    const std::vector<std::string> cells = splitTrimmed(line, '|');
    if (cells.size() < 8 || cells[1] == "file" || cells[1].starts_with("---")) {
      continue;
    }
    const std::vector<std::string> ece = splitTrimmed(cells[6], '/');
    TableRow row{splitTrimmed(cells[1], ' ')[0],
                 cells[3],
                 splitTrimmed(cells[4], ' ')[0],
                 cells[5],
                 ece.at(0),
                 ece.at(1),
                 ece.at(2),
                 cells[7]};
    if (row.file.ends_with("*")) {
      row.file.replace(row.file.size() - 1, 1, "pyx.npy");
    }
    rows.push_back(row);
  }
  return rows;
}

/// Equal when printed with as many decimals as the table has. Returns the number of comparisons.
int expectPrinted(const std::string& printed, double value, const std::string& what) {
  if (printed.empty() || printed == "-") {
    return 0;
  }
  const std::size_t point = printed.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : printed.size() - point - 1;
  EXPECT_EQ(fmt::format("{:.{}f}", value, decimals), printed) << what;
  return 1;
}

Evaluation evaluatedWith(const dubito::Run& run, std::int64_t bins) {
  RunContext context;
  EvaluationOptions options;
  options.bins = bins;
  return evaluate(run, {}, options, context).value();
}

TEST(SavedPredictions, HaveTheFiguresOfTheTable) {
  DUBITO_NEEDS_SHARED();
  const std::filesystem::path datasets = *test::sharedDir() / "datasets";
  const std::vector<TableRow> table = readTable(datasets / "README.md");
  ASSERT_FALSE(table.empty());
  int compared = 0;
  for (const TableRow& row : table) {
    RunContext context;
    const Expected<dubito::Run> run =
        openPredictions((datasets / "predictions" / row.file).string(), context);
    ASSERT_OK(run);
    const Evaluation at15 = evaluatedWith(*run, 15);
    compared += expectPrinted(row.accuracy, 100.0 * *at15.accuracy, row.file + " accuracy");
    compared += expectPrinted(row.nll, *at15.nll, row.file + " NLL");
    compared += expectPrinted(row.brier, *at15.brier, row.file + " Brier");
    compared += expectPrinted(row.ece15, 100.0 * *at15.ece, row.file + " ECE 15");
    compared += expectPrinted(row.mce15, 100.0 * *at15.mce, row.file + " MCE 15");
    compared +=
        expectPrinted(row.ece10, 100.0 * *evaluatedWith(*run, 10).ece, row.file + " ECE 10");
    compared +=
        expectPrinted(row.ece20, 100.0 * *evaluatedWith(*run, 20).ece, row.file + " ECE 20");
  }
  // Accuracy, NLL, Brier and ECE at 15 bins stand in every row.
  EXPECT_GE(compared, 4 * static_cast<int>(table.size()));
  EXPECT_GE(table.size(), 5U);
}

}  // namespace
}  // namespace dubito
