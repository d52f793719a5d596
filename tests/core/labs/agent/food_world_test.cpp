// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/agent/food_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dubito {
namespace {

TEST(FoodWorld, EyesSeeTheNearestThing) {
  FoodWorld world(1);
  for (int step = 0; step < 400; ++step) {
    for (int eye = 0; eye < FoodWorld::kEyes; ++eye) {
      const EyeReading& reading = world.eyes()[static_cast<std::size_t>(eye)];
      ASSERT_GE(reading.distance, 0.0);
      ASSERT_LE(reading.distance, FoodWorld::kEyeRange);
      const WorldPoint end = world.endOf(eye);
      // No item lies nearer along the ray: points of the ray before its end are outside all items.
      for (const double share : {0.2, 0.5, 0.8, 0.99}) {
        const WorldPoint place{world.agent().x + share * (end.x - world.agent().x),
                               world.agent().y + share * (end.y - world.agent().y)};
        for (const FoodItem& item : world.items()) {
          ASSERT_GE(std::hypot(place.x - item.place.x, place.y - item.place.y),
                    FoodWorld::kItemRadius - 1e-9);
        }
      }
      if (reading.seen == Seen::kGood || reading.seen == Seen::kBad) {
        ASSERT_TRUE(std::ranges::any_of(world.items(), [&](const FoodItem& item) {
          return item.is_good == (reading.seen == Seen::kGood) &&
                 std::abs(std::hypot(end.x - item.place.x, end.y - item.place.y) -
                          FoodWorld::kItemRadius) < 1e-9;
        }));
      }
    }
    world.act(step % 3);
  }
}

TEST(FoodWorld, WallsHoldTheAgent) {
  FoodWorld world(2);
  double last_reward = 0.0;
  for (int step = 0; step < 300; ++step) {
    last_reward = world.act(0);  // always straight on
    ASSERT_GE(world.agent().x, 0.0);
    ASSERT_LE(world.agent().x, FoodWorld::kWidth);
    ASSERT_GE(world.agent().y, 0.0);
    ASSERT_LE(world.agent().y, FoodWorld::kHeight);
  }
  // It stands before the right wall and sees it.
  EXPECT_GT(world.agent().x, FoodWorld::kWidth - 0.3);
  EXPECT_EQ(world.eyes()[FoodWorld::kEyes / 2].seen, Seen::kWall);
  EXPECT_LT(last_reward, 0.0);
}

TEST(FoodWorld, PaysForWhatIsEaten) {
  FoodWorld world(3);
  double eaten = 0.0;
  double sum = 0.0;
  double rest = 0.0;
  for (int step = 0; step < 5000; ++step) {
    const std::int64_t good = world.eatenGood();
    const std::int64_t bad = world.eatenBad();
    // Turns away from walls, and a little now and then.
    const bool sees_wall = world.eyes()[FoodWorld::kEyes / 2].seen == Seen::kWall;
    const double reward = world.act(sees_wall ? 3 : step % 9 == 0 ? 2 : 0);
    const double of_food = 5.0 * static_cast<double>(world.eatenGood() - good) -
                           6.0 * static_cast<double>(world.eatenBad() - bad);
    sum += reward;
    eaten += of_food;
    rest += reward - of_food;
    ASSERT_LE(reward - of_food, 0.1 + 1e-12);
    ASSERT_GE(reward - of_food, -1.0 - 1e-12);
  }
  EXPECT_GT(world.eatenGood(), 5);
  EXPECT_GT(world.eatenBad(), 5);
  EXPECT_NEAR(sum, eaten + rest, 1e-6);
  EXPECT_EQ(world.items().size(), static_cast<std::size_t>(FoodWorld::kItems));
}

TEST(FoodWorld, StateIsWhatTheEyesSee) {
  FoodWorld world(4);
  for (int step = 0; step < 60; ++step) {
    world.act(1);
  }
  const std::vector<double> state = world.state();
  ASSERT_EQ(state.size(), static_cast<std::size_t>(FoodWorld::kStateSize));
  for (std::size_t eye = 0; eye < FoodWorld::kEyes; ++eye) {
    const EyeReading& reading = world.eyes()[eye];
    double sum = 0.0;
    for (std::size_t kind = 0; kind < 3; ++kind) {
      sum += state[3 * eye + kind];
    }
    EXPECT_NEAR(
        sum, reading.seen == Seen::kNothing ? 0.0 : 1.0 - reading.distance / FoodWorld::kEyeRange,
        1e-15);
  }
}

TEST(FoodWorld, IsKeyed) {
  FoodWorld a(5);
  FoodWorld b(5);
  FoodWorld other(6);
  for (int step = 0; step < 200; ++step) {
    EXPECT_EQ(a.act(step % 5), b.act(step % 5));
    other.act(step % 5);
  }
  EXPECT_EQ(a.agent().x, b.agent().x);
  EXPECT_EQ(a.state(), b.state());
  EXPECT_NE(a.items()[0].place.x, other.items()[0].place.x);
  EXPECT_THROW(a.act(5), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
