// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>

#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::closeTo;

std::string sharedUci() {
  return (*test::sharedDir() / "datasets" / "uci").string();
}

TEST(UciData, ReadsThePublishedFiles) {
  DUBITO_NEEDS_SHARED();
  for (const UciSetInfo& set : uciSets()) {
    const auto data = readUciData(set, sharedUci());
    ASSERT_OK(data);
    EXPECT_EQ(std::ssize(data->targets), set.items) << set.key;
    EXPECT_EQ(std::ssize(data->inputs), set.items * set.inputs) << set.key;
    EXPECT_EQ(std::ssize(data->test_rows), set.splits) << set.key;
  }
}

TEST(UciData, TheTargetIsTheColumnAfterTheInputs) {
  DUBITO_NEEDS_SHARED();
  const auto boston = readUciData(*findUciSet("boston"), sharedUci());
  ASSERT_OK(boston);
  EXPECT_EQ(boston->inputs[0], 0.00632);
  EXPECT_EQ(boston->targets[0], 24.0);
  // Naval has one more column, the decay of the turbine, which no table uses.
  const auto naval = readUciData(*findUciSet("naval"), sharedUci());
  ASSERT_OK(naval);
  EXPECT_EQ(naval->inputs[15], 0.082);
  EXPECT_EQ(naval->targets[0], 0.95);
  EXPECT_EQ(naval->inputs[16], 2.088);
}

TEST(UciData, SplitsAreDisjointAndComplete) {
  DUBITO_NEEDS_SHARED();
  for (const char* const key : {"yacht", "wine", "protein"}) {
    const auto data = readUciData(*findUciSet(key), sharedUci());
    ASSERT_OK(data);
    std::set<std::vector<std::int64_t>> different;
    for (std::int64_t split = 0; split < data->set->splits; ++split) {
      const UciRows rows = uciSplit(*data, split);
      const UciRows inner = uciValidationSplit(rows.train, 5, split);
      std::vector<std::int64_t> all = rows.test;
      all.insert(all.end(), inner.train.begin(), inner.train.end());
      all.insert(all.end(), inner.test.begin(), inner.test.end());
      std::ranges::sort(all);
      std::vector<std::int64_t> expected(data->targets.size());
      std::iota(expected.begin(), expected.end(), std::int64_t{0});
      EXPECT_EQ(all, expected) << key << split;
      EXPECT_EQ(inner.train.size(), rows.train.size() * 4 / 5);
      EXPECT_NEAR(static_cast<double>(rows.test.size()),
                  0.1 * static_cast<double>(data->targets.size()), 1.0);
      different.insert(inner.test);
    }
    EXPECT_EQ(std::ssize(different), data->set->splits);
  }
}

TEST(UciData, StandardisesByTheTrainingRowsAlone) {
  DUBITO_NEEDS_SHARED();
  const auto data = readUciData(*findUciSet("concrete"), sharedUci());
  ASSERT_OK(data);
  const UciRows rows = uciSplit(*data, 3);
  const auto problem = uciProblem(*data, rows);
  ASSERT_OK(problem);
  const std::int64_t inputs = data->set->inputs;
  const auto count = static_cast<double>(rows.train.size());
  ASSERT_EQ(problem->train.size(), std::ssize(rows.train));
  for (std::int64_t column = 0; column <= inputs; ++column) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::int64_t row = 0; row < problem->train.size(); ++row) {
      const double value = column < inputs
                               ? problem->train.x[static_cast<std::size_t>(row * inputs + column)]
                               : problem->train.y[static_cast<std::size_t>(row)];
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / count, 0.0, 1e-12);
    EXPECT_NEAR(squares / count, 1.0, 1e-12);
  }
  // A test row by hand.
  double mean = 0.0;
  for (const std::int64_t row : rows.train) {
    mean += data->inputs[static_cast<std::size_t>(row * inputs)] / count;
  }
  double variance = 0.0;
  for (const std::int64_t row : rows.train) {
    variance += std::pow(data->inputs[static_cast<std::size_t>(row * inputs)] - mean, 2) / count;
  }
  const double raw = data->inputs[static_cast<std::size_t>(rows.test[0] * inputs)];
  EXPECT_TRUE(closeTo(problem->test_x[0], (raw - mean) / std::sqrt(variance), 1e-11));
  EXPECT_EQ(problem->test_y[0], data->targets[static_cast<std::size_t>(rows.test[0])]);
}

TEST(UciData, ConstantInputsBecomeZero) {
  DUBITO_NEEDS_SHARED();
  // Two inputs of naval are constant.
  const auto data = readUciData(*findUciSet("naval"), sharedUci());
  ASSERT_OK(data);
  const auto problem = uciProblem(*data, uciSplit(*data, 0));
  ASSERT_OK(problem);
  for (const std::size_t column : {8U, 11U}) {
    for (std::size_t row = 0; row < 50; ++row) {
      EXPECT_NEAR(problem->train.x[row * 16 + column], 0.0, 1e-6);
    }
  }
}

/// A set with three rows of data in files that a test writes.
class DamagedUci : public ::testing::Test {
 protected:
  DamagedUci() {
    set_.key = "tiny";
    set_.file = "tiny";
    set_.items = 12;
    set_.inputs = 2;
    set_.splits = 2;
  }
  std::string messageOf(const std::string& rows, const std::string& splits) {
    test::writeBytes(folder_.file("tiny.txt.gz"), rows);
    test::writeBytes(folder_.file("tiny.test-splits.txt.gz"), splits);
    const auto data = readUciData(set_, folder_.path().string());
    return data ? "" : data.error().message;
  }
  static std::string rows(const std::string& third = "5 6 7") {
    std::string text = "1 2 3\n\n 3\t4 5 \r\n" + third + "\n";
    for (int i = 0; i < 9; ++i) {
      text += "1 2 " + std::to_string(i) + "\n";
    }
    return text;
  }

  test::TempDir folder_;
  UciSetInfo set_;
};

TEST_F(DamagedUci, ToleratesBlankLinesTabsAndCarriageReturns) {
  EXPECT_EQ(messageOf(rows(), "0 3\n4\n"), "");
}

TEST_F(DamagedUci, NamesTheLineAndTheReason) {
  using ::testing::HasSubstr;
  EXPECT_THAT(messageOf(rows("5 six 7"), "0\n1\n"), HasSubstr("line 4 has something that is not"));
  EXPECT_THAT(messageOf(rows("5 nan 7"), "0\n1\n"), HasSubstr("line 4 has something that is not"));
  EXPECT_THAT(messageOf(rows("5 6"), "0\n1\n"), HasSubstr("line 4 has 2 columns instead of 3"));
  EXPECT_THAT(messageOf("1 2\n", "0\n1\n"), HasSubstr("line 1 has 2 columns instead of 3"));
  EXPECT_THAT(messageOf("1 2 3\n", "0\n1\n"), HasSubstr("has 1 rows instead of 12"));
  EXPECT_THAT(messageOf(rows(), "0\n"), HasSubstr("has 1 splits instead of 2"));
  EXPECT_THAT(messageOf(rows(), "0\n12\n"), HasSubstr("line 2 names row 12, which does not exist"));
  EXPECT_THAT(messageOf(rows(), "0\n1.5\n"), HasSubstr("line 2 names row 1.5"));
  EXPECT_THAT(messageOf(rows(), "3 3\n1\n"), HasSubstr("line 1 names row 3 twice"));
  EXPECT_THAT(messageOf(rows(), "0 1 2 3\n1\n"), HasSubstr("line 1 leaves almost nothing"));
  std::filesystem::remove(folder_.file("tiny.test-splits.txt.gz"));
  const auto missing = readUciData(set_, folder_.path().string());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

TEST_F(DamagedUci, RefusesTargetsThatAreAllEqual) {
  std::string text;
  for (int i = 0; i < 12; ++i) {
    text += std::to_string(i) + " 2 7\n";
  }
  EXPECT_EQ(messageOf(text, "0\n1\n"), "");
  const auto data = readUciData(set_, folder_.path().string());
  ASSERT_OK(data);
  const auto problem = uciProblem(*data, uciSplit(*data, 0));
  ASSERT_FALSE(problem);
  EXPECT_THAT(problem.error().message, ::testing::HasSubstr("all equal"));
}

}  // namespace
}  // namespace dubito
