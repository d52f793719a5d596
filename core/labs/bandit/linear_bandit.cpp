// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/linear_bandit.h"

#include <cmath>
#include <numeric>

#include "core/labs/random/keyed_random.h"

namespace dubito {

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

}  // namespace dubito
