// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/learning_rounds.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

LearningRound someRound(std::int64_t labels) {
  return {.time_ms = 1'700'000'000'000 + labels,
          .labels = labels,
          .classes = 3,
          .sequence = 7 + labels,
          .backbone = "/models/netz über alles.pt",
          .backbone_hash = "0123456789abcdef",
          .model = labels == 0 ? "" : "/labels/x.learned/120-labels.pt",
          .held_out = {labels, labels / 2},
          .given = {1000, 700 + labels}};
}

class LearningRoundsTest : public testing::Test {
 protected:
  test::TempDir folder_;
  std::string path_ = folder_.file("rounds.json");
};

TEST_F(LearningRoundsTest, WithoutAFileThereAreNone) {
  const auto rounds = readLearningRounds(path_);
  ASSERT_OK(rounds);
  EXPECT_TRUE(rounds->empty());
}

TEST_F(LearningRoundsTest, EveryRoundIsKeptInOrder) {
  ASSERT_OK(addLearningRounds(path_, {someRound(0), someRound(120)}));
  ASSERT_OK(addLearningRounds(path_, {someRound(60)}));
  const auto rounds = readLearningRounds(path_);
  ASSERT_OK(rounds);
  EXPECT_EQ(*rounds, (std::vector{someRound(0), someRound(120), someRound(60)}));
}

TEST_F(LearningRoundsTest, ADamagedFileIsRefusedAndKept) {
  for (const std::string text :
       {R"({"format": "dubito learning rounds", "schema_version": 1, "rounds": [{"labels": 3}]})",
        R"({"format": "something", "schema_version": 1, "rounds": []})", "[1, 2", ""}) {
    SCOPED_TRACE(text);
    test::writeBytes(path_, text);
    const auto read = readLearningRounds(path_);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::kMalformed);
    EXPECT_THAT(read.error().message, HasSubstr(path_ + ": is damaged ("));
    EXPECT_FALSE(addLearningRounds(path_, {someRound(10)}));
    EXPECT_EQ(test::readBytes(path_), text);
  }
}

TEST_F(LearningRoundsTest, ImpossibleCountsAndNewerVersionsAreRefused) {
  ASSERT_OK(addLearningRounds(path_, {{.held_out = {10, 11}}}));
  EXPECT_THAT(readLearningRounds(path_).error().message, HasSubstr("its counts are impossible"));
  test::writeBytes(path_, R"({"format": "dubito learning rounds", "schema_version": 2})");
  EXPECT_EQ(readLearningRounds(path_).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace dubito
