// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/io/csv.h"
#include "core/io/run_file.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// Predictions of "photographs" of four classes, of which a table counts three, one by another
/// name.
class ContextScenesProgram : public testing::Test {
 protected:
  void SetUp() override {
    // In this table, cars are never with animals.
    std::ofstream(counts_) << "class,cat,dog,car\ncat,0,90,0\ndog,90,0,0\ncar,0,0,40\n";
    dubito::Run run = test::randomRun(400, 4, 2.0, 3, true, false);
    run.meta.class_names = {"automobile", "cat", "deer", "dog"};
    RunContext context;
    ASSERT_OK(writeRun(run, photos_, context));
    run.meta.class_names.clear();
    ASSERT_OK(writeRun(run, unnamed_, context));
  }
  test::ProcessResult study(const std::string& predictions, std::vector<std::string> more) {
    std::vector<std::string> words{
        DUBITO_STUDIES, "context-scenes", predictions, "--cooccurrence", counts_, "--scenes",
        "60",           "--seeds",        "2",         "--measures",     "pmi"};
    words.insert(words.end(), more.begin(), more.end());
    return test::runProcess(words);
  }

  test::TempDir folder_;
  std::string counts_ = folder_.file("counts.csv");
  std::string photos_ = folder_.file("photos.npz");
  std::string unnamed_ = folder_.file("unnamed.npz");
};

TEST_F(ContextScenesProgram, TakesPhotographsByTheirOwnClassesAndSaysWhichAreUnknown) {
  const auto result = study(
      photos_, {"--own-classes", "--rename", "automobile=car", "--csv", folder_.file("table.csv")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("objects of the classes car, cat, dog"));
  EXPECT_THAT(result.err, HasSubstr("left out: deer"));
  auto reader = CsvReader::open(folder_.file("table.csv"));
  ASSERT_OK(reader);
  std::vector<std::string_view> fields;
  int lines = 0;
  while (*reader->next(fields)) {
    ++lines;
    if (fields[3] == "all") {
      // Cars and animals exclude each other: context says much.
      EXPECT_GT(*parseNumber(fields[10]), 0.02) << fields[0];
      EXPECT_GT(*parseNumber(fields[2]), 0.1) << fields[0];
    }
  }
  EXPECT_EQ(lines, 22);  // two sources of counts, all items and ten deciles
}

TEST_F(ContextScenesProgram, NamesAreGivenWhereThePredictionsHaveNone) {
  const auto named = study(photos_, {"--own-classes", "--rename", "automobile=car"});
  const auto given = study(unnamed_, {"--own-classes", "--classes", "automobile,cat,deer,dog",
                                      "--rename", "automobile=car"});
  ASSERT_EQ(given.exit_code, 0) << given.err;
  EXPECT_EQ(given.out, named.out);
}

TEST_F(ContextScenesProgram, RefusesNamesThatFitNothing) {
  struct Case {
    std::string predictions;
    std::vector<std::string> more;
    std::string message;
  };
  for (const Case& refused :
       {Case{unnamed_, {"--own-classes"}, "4 classes without names"},
        {unnamed_, {"--own-classes", "--classes", "a,b"}, "names 2"},
        {unnamed_, {"--own-classes", "--classes", "a,b,c,d"}, "none of its"},
        {unnamed_, {"--own-classes", "--classes", "a,cat,c,d"}, "fewer than two"},
        {photos_, {"--own-classes", "--rename", "automobile"}, "no pair of names"},
        {photos_, {"--rename", "automobile=car"}, "--own-classes"}}) {
    const auto result = study(refused.predictions, refused.more);
    EXPECT_NE(result.exit_code, 0) << refused.message;
    EXPECT_THAT(result.err, HasSubstr(refused.message));
  }
}

}  // namespace
}  // namespace dubito
