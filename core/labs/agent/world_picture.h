// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/labs/agent/food_world.h"

namespace dubito {

/// The small world at one moment.
struct WorldPicture {
  std::vector<WorldWall> walls;
  std::vector<FoodItem> items;
  WorldPoint agent;
  std::array<EyeReading, FoodWorld::kEyes> eyes{};
  std::array<WorldPoint, FoodWorld::kEyes> eye_ends{};
  std::vector<WorldPoint> trail;  ///< the last places of the agent, oldest first
  std::int64_t steps = 0;
  std::int64_t eaten_good = 0;
  std::int64_t eaten_bad = 0;
  double last_reward = 0.0;
  double random_share = 0.0;  ///< current probability of a random action
};

}  // namespace dubito
