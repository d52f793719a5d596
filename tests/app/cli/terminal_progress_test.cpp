// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_progress.h"

#include <gtest/gtest.h>

namespace dubito::cli {
namespace {

TEST(ProgressLine, TellsStageShareRateAndRemainingTime) {
  EXPECT_EQ(progressLine({"predict", 2500, 10000}, 5.0), "predict   25 %  500 items/s  0:15 left");
  EXPECT_EQ(progressLine({"predict", 10, 10000}, 10.0), "predict    0 %  1 items/s  166:30 left");
}

TEST(ProgressLine, DoesNotCountWhatWasThereBefore) {
  EXPECT_EQ(progressLine({"predict", 7500, 10000}, 5.0, 5000),
            "predict   75 %  500 items/s  0:05 left");
  EXPECT_EQ(progressLine({"predict", 5000, 10000}, 5.0, 5000), "predict   50 %");
}

TEST(ProgressLine, SaysNoMoreThanItKnows) {
  EXPECT_EQ(progressLine({"open", 0, 0}, 3.0), "open");
  EXPECT_EQ(progressLine({"predict", 0, 100}, 3.0), "predict    0 %");
  EXPECT_EQ(progressLine({"predict", 50, 100}, 0.0), "predict   50 %");
}

TEST(ProgressJson, IsOneLineThatAProgramReads) {
  EXPECT_EQ(progressJson({"predict", 5, 20}), R"({"done":5,"stage":"predict","total":20})");
  EXPECT_EQ(progressJson({"a \"b\"\n", 0, 0}), R"({"done":0,"stage":"a \"b\"\n","total":0})");
}

}  // namespace
}  // namespace dubito::cli
