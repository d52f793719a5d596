// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace dubito {

/// How fast a laboratory plays: how much work is done between two pictures.
struct PlaybackSpeed {
  const char* name;         ///< "slow"
  const char* explanation;  ///< tooltip
  double budget_seconds;    ///< of work per picture; 0: one unit
  int pause_milliseconds;   ///< between two pictures
  std::int64_t units = 1;   ///< of work per picture, at least
};

/// From slow to fast. For laboratories whose units of work take milliseconds.
[[nodiscard]] const std::vector<PlaybackSpeed>& playbackSpeeds();
inline constexpr int kNormalSpeed = 1;

/// Chooses how many units of work to do at a time, so that a picture appears after about `budget`
/// seconds whatever a unit costs.
class UnitPacer {
 public:
  /// Units for the next slice, at least 1.
  [[nodiscard]] std::int64_t units(double budget_seconds) const;
  void measured(std::int64_t units, double seconds);

 private:
  double seconds_per_unit_ = 0.0;  ///< 0: not measured yet
};

}  // namespace dubito
