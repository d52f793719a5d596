// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/playback.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

PlaybackSpeed speedOf(double budget_seconds, std::int64_t units, double share) {
  PlaybackSpeed speed;
  speed.budget_seconds = budget_seconds;
  speed.units = units;
  speed.share = share;
  return speed;
}

TEST(UnitPacer, DoesOneUnitUntilItKnowsHowLongOneTakes) {
  const UnitPacer pacer;
  EXPECT_EQ(pacer.units(speedOf(0.3, 1, 0.0), 1'000'000), 1);
  EXPECT_EQ(pacer.units(speedOf(0.3, 5, 0.0), 1'000'000), 5);
}

TEST(UnitPacer, FillsTheBudget) {
  UnitPacer pacer;
  pacer.measured(4, 0.008);
  EXPECT_EQ(pacer.units(speedOf(0.03, 1, 0.0), 1'000'000), 15);
  EXPECT_EQ(pacer.units(speedOf(0.0005, 1, 0.0), 1'000'000), 1) << "a unit longer than the budget";
  pacer.measured(0, 5.0);
  EXPECT_EQ(pacer.units(speedOf(0.03, 1, 0.0), 1'000'000), 15) << "no unit was measured";
  pacer.measured(1, 0.0);
  EXPECT_EQ(pacer.units(speedOf(0.03, 1, 0.0), 1'000'000), 300'000) << "too short for a clock";
}

TEST(UnitPacer, DoesAtLeastAShareOfTheRun) {
  UnitPacer pacer;
  EXPECT_EQ(pacer.units(speedOf(0.0, 1, 0.01), 20'000), 200);
  EXPECT_EQ(pacer.units(speedOf(0.0, 1, 0.01), 99), 1);
  EXPECT_EQ(pacer.units(speedOf(0.0, 3, 0.01), 99), 3);
  pacer.measured(1, 0.001);
  EXPECT_EQ(pacer.units(speedOf(0.03, 1, 0.01), 20'000), 200);
  EXPECT_EQ(pacer.units(speedOf(0.03, 1, 0.01), 1'000), 30);
}

TEST(PlaybackSpeeds, SlowShowsTheRunInAHundredPictures) {
  EXPECT_EQ(UnitPacer().units(playbackSpeeds().front(), 4'000), 40);
}

}  // namespace
}  // namespace dubito
