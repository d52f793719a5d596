// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/agent/food_world.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

/// Directions of the compass; all angles are multiples of a full turn divided by it.
constexpr int kDirections = 128;
constexpr int kEyeSpacing = 5;  ///< directions between two eyes: 0.25 rad
constexpr double kStepLength = 0.08;

/// Speeds of the left and right motor give these turns and ways.
struct Motion {
  int turn;
  double share;  ///< of kStepLength
};
constexpr std::array<Motion, FoodWorld::kActions> kMotions{
    {{0, 1.0}, {4, 0.9}, {-4, 0.9}, {10, 0.25}, {-10, 0.25}}};

/// Unit vectors of all directions. Square roots and products alone, which have the same bits on
/// every machine, unlike std::sin.
std::array<WorldPoint, kDirections> makeCompass() {
  double cosine = 0.0;  // of a quarter turn
  for (int parts = 4; parts < kDirections; parts *= 2) {
    cosine = std::sqrt(0.5 * (1.0 + cosine));
  }
  const double sine = std::sqrt(1.0 - cosine * cosine);
  std::array<WorldPoint, kDirections> compass{};
  compass[0] = {1.0, 0.0};
  for (std::size_t i = 1; i < compass.size(); ++i) {
    const WorldPoint& last = compass[i - 1];
    compass[i] = {last.x * cosine - last.y * sine, last.x * sine + last.y * cosine};
  }
  return compass;
}

WorldPoint compassDirection(int index) {
  static const std::array<WorldPoint, kDirections> compass = makeCompass();
  return compass[static_cast<std::size_t>(((index % kDirections) + kDirections) % kDirections)];
}

double cross(const WorldPoint& a, const WorldPoint& b) {
  return a.x * b.y - a.y * b.x;
}

/// Way along the unit vector `direction` from `from` to a wall; infinity if it is not met.
double wayToWall(const WorldPoint& from, const WorldPoint& direction, const WorldWall& wall) {
  const WorldPoint along{wall.to.x - wall.from.x, wall.to.y - wall.from.y};
  const WorldPoint to_wall{wall.from.x - from.x, wall.from.y - from.y};
  const double slope = cross(direction, along);
  const double way = cross(to_wall, along) / slope;
  const double share = cross(to_wall, direction) / slope;
  // Parallel walls give infinity or NaN, which fails the comparisons.
  const bool is_met = way >= 0.0 && share >= 0.0 && share <= 1.0;
  return is_met ? way : HUGE_VAL;
}

/// Way along `direction` to the nearest point of an item; infinity if the ray misses it.
double wayToItem(const WorldPoint& from, const WorldPoint& direction, const FoodItem& item) {
  const WorldPoint to_item{item.place.x - from.x, item.place.y - from.y};
  const double way = to_item.x * direction.x + to_item.y * direction.y;
  const double to_the_side = cross(direction, to_item);
  const double rest = FoodWorld::kItemRadius * FoodWorld::kItemRadius - to_the_side * to_the_side;
  if (way < 0.0 || rest < 0.0) {
    return HUGE_VAL;
  }
  return std::max(way - std::sqrt(rest), 0.0);
}

void addBox(std::vector<WorldWall>& walls, double left, double bottom, double right, double top,
            bool is_open) {
  walls.push_back({{left, bottom}, {right, bottom}});
  walls.push_back({{left, top}, {right, top}});
  walls.push_back({{right, bottom}, {right, top}});
  if (!is_open) {
    walls.push_back({{left, bottom}, {left, top}});
  }
}

}  // namespace

FoodWorld::FoodWorld(std::uint64_t seed) : seed_(seed) {
  addBox(walls_, 0.0, 0.0, kWidth, kHeight, false);
  // Two bays, open to the left.
  addBox(walls_, 1.0, 1.0, 3.0, 4.0, true);
  addBox(walls_, 4.0, 1.0, 6.0, 4.0, true);
  for (int i = 0; i < kItems; ++i) {
    items_.push_back(newItem());
    // Not all vanish at once.
    items_.back().vanishes_at = kItemLife * (i + 1) / kItems;
  }
  look();
}

FoodItem FoodWorld::newItem() {
  std::array<double, 3> values{};
  KeyedRandom(seed_, LabSite::kEnvironment).uniforms(created_, values);
  ++created_;
  constexpr double kMargin = 0.2;
  return {{kMargin + (kWidth - 2.0 * kMargin) * values[0],
           kMargin + (kHeight - 2.0 * kMargin) * values[1]},
          values[2] < 0.5,
          steps_ + kItemLife};
}

WorldPoint FoodWorld::directionOf(int eye) const {
  return compassDirection(heading_ + kEyeSpacing * (eye - kEyes / 2));
}

WorldPoint FoodWorld::endOf(int eye) const {
  const WorldPoint direction = directionOf(eye);
  const double distance = eyes_[static_cast<std::size_t>(eye)].distance;
  return {agent_.x + distance * direction.x, agent_.y + distance * direction.y};
}

void FoodWorld::look() {
  for (int eye = 0; eye < kEyes; ++eye) {
    const WorldPoint direction = directionOf(eye);
    EyeReading reading{kEyeRange, Seen::kNothing};
    const auto consider = [&reading](double way, Seen seen) {
      if (way < reading.distance) {
        reading = {way, seen};
      }
    };
    for (const WorldWall& wall : walls_) {
      consider(wayToWall(agent_, direction, wall), Seen::kWall);
    }
    for (const FoodItem& item : items_) {
      consider(wayToItem(agent_, direction, item), item.is_good ? Seen::kGood : Seen::kBad);
    }
    eyes_[static_cast<std::size_t>(eye)] = reading;
  }
}

std::vector<double> FoodWorld::state() const {
  std::vector<double> values(kStateSize, 0.0);
  for (std::size_t eye = 0; eye < eyes_.size(); ++eye) {
    const EyeReading& reading = eyes_[eye];
    if (reading.seen != Seen::kNothing) {
      const auto kind = static_cast<std::size_t>(reading.seen) - 1;
      values[3 * eye + kind] = 1.0 - reading.distance / kEyeRange;
    }
  }
  return values;
}

double FoodWorld::eat() {
  constexpr double kReach = kAgentRadius + kItemRadius;
  double reward = 0.0;
  for (FoodItem& item : items_) {
    const double x = item.place.x - agent_.x;
    const double y = item.place.y - agent_.y;
    const bool is_eaten = x * x + y * y < kReach * kReach;
    if (is_eaten) {
      reward += item.is_good ? kGoodReward : kBadReward;
      ++(item.is_good ? eaten_good_ : eaten_bad_);
    }
    if (is_eaten || steps_ >= item.vanishes_at) {
      item = newItem();
    }
  }
  return reward;
}

double FoodWorld::act(int action) {
  if (action < 0 || action >= kActions) {
    throw std::invalid_argument("FoodWorld::act: unknown action");
  }
  ++steps_;
  const Motion& motion = kMotions[static_cast<std::size_t>(action)];
  const WorldPoint direction = compassDirection(heading_);
  const double way = motion.share * kStepLength;
  // The agent stops where its rim would touch a wall.
  const bool is_blocked = std::ranges::any_of(walls_, [&](const WorldWall& wall) {
    return wayToWall(agent_, direction, wall) < way + kAgentRadius;
  });
  if (!is_blocked) {
    agent_.x += way * direction.x;
    agent_.y += way * direction.y;
  }
  heading_ = (heading_ + motion.turn + kDirections) % kDirections;
  const double eaten = eat();
  look();
  double open = 0.0;
  for (const EyeReading& reading : eyes_) {
    open += reading.seen == Seen::kWall ? reading.distance / kEyeRange : 1.0;
  }
  open = std::min(1.0, 2.0 * open / kEyes);
  constexpr double kOpen = 0.75;
  const double forward = action == 0 && open > kOpen ? 0.1 * open : 0.0;
  return open - 1.0 + forward + eaten;
}

}  // namespace dubito
