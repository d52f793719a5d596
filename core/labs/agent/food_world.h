// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dubito {

/// A place in the world.
struct WorldPoint {
  double x = 0.0;
  double y = 0.0;
};

/// A wall between two places.
struct WorldWall {
  WorldPoint from;
  WorldPoint to;
};

/// Something to eat or to avoid.
struct FoodItem {
  WorldPoint place;
  bool is_good = false;
  std::int64_t vanishes_at = 0;  ///< step in which it is replaced, eaten or not
};

/// What an eye sees first.
enum class Seen { kNothing, kWall, kGood, kBad };

struct EyeReading {
  double distance = 0.0;  ///< to what is seen, at most FoodWorld::kEyeRange
  Seen seen = Seen::kNothing;
};

/// A walled world in two dimensions with good and bad items and one agent, which has nine eyes and
/// two motors: the experiment of Gal and Ghahramani 2016, section 5.4, in the world of the
/// reinforcement learning demonstration of ConvNetJS (1 unit here is 100 of its pixels). Twice as
/// many items and steps nearly twice as long let learning show within thousands of steps; all
/// rewards are 1 less, which changes no best action but spares a network from learning the
/// constant. Keyed: the state after n actions depends on seed and actions alone.
class FoodWorld {
 public:
  static constexpr double kWidth = 7.0;
  static constexpr double kHeight = 5.0;
  static constexpr double kAgentRadius = 0.1;
  static constexpr double kItemRadius = 0.1;
  static constexpr double kEyeRange = 0.85;
  static constexpr int kEyes = 9;
  static constexpr int kActions = 5;
  static constexpr int kItems = 60;
  /// Wall, good and bad, for every eye.
  static constexpr int kStateSize = 3 * kEyes;
  static constexpr double kGoodReward = 5.0;
  static constexpr double kBadReward = -6.0;
  /// Steps after which an item is replaced by another one elsewhere, so that bad ones do not pile
  /// up.
  static constexpr std::int64_t kItemLife = 3000;

  explicit FoodWorld(std::uint64_t seed);

  /// 1 - distance / range for what each eye sees, and 0 for what it does not see: [kStateSize].
  [[nodiscard]] std::vector<double> state() const;
  /// Moves by `action` (0 straight on, 1 and 2 slightly and 3 and 4 sharply to the left and right)
  /// and returns the reward: down to -1 for facing walls, up to 0.1 for walking straight on in the
  /// open, and that of the items eaten.
  double act(int action);

  [[nodiscard]] const std::vector<WorldWall>& walls() const { return walls_; }
  [[nodiscard]] const std::vector<FoodItem>& items() const { return items_; }
  [[nodiscard]] const std::array<EyeReading, kEyes>& eyes() const { return eyes_; }
  [[nodiscard]] WorldPoint agent() const { return agent_; }
  /// End of the ray of an eye.
  [[nodiscard]] WorldPoint endOf(int eye) const;
  [[nodiscard]] std::int64_t eatenGood() const { return eaten_good_; }
  [[nodiscard]] std::int64_t eatenBad() const { return eaten_bad_; }
  /// Actions so far.
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  [[nodiscard]] FoodItem newItem();
  [[nodiscard]] WorldPoint directionOf(int eye) const;
  void look();
  double eat();

  std::uint64_t seed_;
  std::vector<WorldWall> walls_;
  std::vector<FoodItem> items_;
  std::uint32_t created_ = 0;  ///< items so far, which number their random places
  WorldPoint agent_{0.5, 0.5};
  int heading_ = 0;  ///< index of a direction
  std::array<EyeReading, kEyes> eyes_{};
  std::int64_t steps_ = 0;
  std::int64_t eaten_good_ = 0;
  std::int64_t eaten_bad_ = 0;
};

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
