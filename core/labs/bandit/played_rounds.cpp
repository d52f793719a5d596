// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/played_rounds.h"

#include <cmath>

namespace dubito {

void PlayedRounds::add(std::span<const double> context, std::int64_t arm, double reward) {
  contexts_.insert(contexts_.end(), context.begin(), context.end());
  arms_.push_back(arm);
  rewards_.push_back(reward);
  const double distance = reward - mean_;
  mean_ += distance / static_cast<double>(size());
  squares_ += distance * (reward - mean_);
}

void PlayedRounds::fill(std::span<const std::int64_t> chosen, ObservedBatch& batch) const {
  const double std = std::sqrt(squares_ / static_cast<double>(size()));
  const double scale = std > 0.0 ? 1.0 / std : 1.0;  // 0: all rewards are the same
  batch.clear();
  for (const std::int64_t round : chosen) {
    const auto first = contexts_.begin() + round * context_size_;
    batch.inputs.insert(batch.inputs.end(), first, first + context_size_);
    batch.outputs.push_back(arm(round));
    batch.targets.push_back(scale * (reward(round) - mean_));
  }
}

}  // namespace dubito
