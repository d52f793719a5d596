// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/network/online_network.h"

namespace dubito {

/// The rounds that an agent has played, for training networks. Rewards are standardised by the mean
/// and standard deviation of all rewards so far, since nobody tells an agent their scale.
class PlayedRounds {
 public:
  explicit PlayedRounds(std::int64_t context_size) : context_size_(context_size) {}

  void add(std::span<const double> context, std::int64_t arm, double reward);

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(arms_.size()); }
  [[nodiscard]] std::span<const double> contexts() const { return contexts_; }
  [[nodiscard]] std::int64_t arm(std::int64_t round) const {
    return arms_[static_cast<std::size_t>(round)];
  }
  [[nodiscard]] double reward(std::int64_t round) const {
    return rewards_[static_cast<std::size_t>(round)];
  }
  /// Writes the rounds `chosen` to `batch`, with standardised rewards.
  void fill(std::span<const std::int64_t> chosen, ObservedBatch& batch) const;

 private:
  std::int64_t context_size_;
  std::vector<double> contexts_;  ///< [N, D]
  std::vector<std::int64_t> arms_;
  std::vector<double> rewards_;
  // Welford's running moments.
  double mean_ = 0.0;
  double squares_ = 0.0;
};

}  // namespace dubito
