// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/bandit_problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/labs/random/keyed_random.h"

namespace dubito {

double BanditRound::best() const {
  return std::ranges::max(expected);
}

double BanditRound::uniformRegret() const {
  return best() - std::accumulate(expected.begin(), expected.end(), 0.0) /
                      static_cast<double>(expected.size());
}

std::vector<std::string> BanditProblem::armNames() const {
  std::vector<std::string> names;
  for (std::int64_t arm = 1; arm <= armCount(); ++arm) {
    names.push_back("arm " + std::to_string(arm));
  }
  return names;
}

void LinearBandit::play(std::uint64_t seed, std::uint32_t step, BanditRound& round) const {
  const auto width = static_cast<std::size_t>(dimensions_);
  round.context.resize(width);
  KeyedRandom(seed, LabSite::kDataInputs).normals(step, round.context);
  const auto arms = static_cast<std::size_t>(arms_);
  round.rewards.resize(arms);
  KeyedRandom(seed, LabSite::kDataNoise).normals(step, round.rewards);
  round.expected.resize(arms);
  std::vector<double> direction(width);
  for (std::size_t arm = 0; arm < arms; ++arm) {
    KeyedRandom(seed, LabSite::kEnvironment, arm).normals(0, direction);
    const double length =
        std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
    const double along =
        std::inner_product(direction.begin(), direction.end(), round.context.begin(), 0.0);
    round.expected[arm] = along / length;
    round.rewards[arm] = round.expected[arm] + noise_ * round.rewards[arm];
  }
}

std::vector<std::string> LinearBandit::planeNames() const {
  return dimensions_ == 2 ? std::vector<std::string>{"x1", "x2"} : std::vector<std::string>{};
}

void WheelBandit::play(std::uint64_t seed, std::uint32_t step, BanditRound& round) const {
  std::array<double, 2> place{};
  KeyedRandom(seed, LabSite::kDataInputs).uniforms(step, place);
  const double radius = std::sqrt(place[0]);  // uniform in the disc
  const double angle = 2.0 * std::numbers::pi * place[1];
  round.context = {radius * std::cos(angle), radius * std::sin(angle)};
  round.expected.assign(kArms, kSmallReward);
  round.expected[0] = kSafeReward;
  if (radius > delta_) {
    // The arm of the quadrant: right above, right below, left above, left below.
    const bool is_left = round.context[0] <= 0.0;
    const bool is_below = round.context[1] <= 0.0;
    round.expected[std::size_t{1} + (is_left ? 2 : 0) + (is_below ? 1 : 0)] = kLargeReward;
  }
  round.rewards.resize(kArms);
  KeyedRandom(seed, LabSite::kDataNoise).normals(step, round.rewards);
  for (std::size_t arm = 0; arm < round.rewards.size(); ++arm) {
    round.rewards[arm] = round.expected[arm] + kNoise * round.rewards[arm];
  }
}

std::optional<double> WheelBandit::expectedUniformRegret() const {
  constexpr double kArmsShare = 1.0 / static_cast<double>(kArms);
  const double inside = kSafeReward - kArmsShare * (kSafeReward + 4.0 * kSmallReward);
  const double outside =
      kLargeReward - kArmsShare * (kSafeReward + 3.0 * kSmallReward + kLargeReward);
  const double share_inside = delta_ * delta_;
  return share_inside * inside + (1.0 - share_inside) * outside;
}

std::vector<std::string> WheelBandit::armNames() const {
  return {"safe arm", "right above", "right below", "left above", "left below"};
}

}  // namespace dubito
