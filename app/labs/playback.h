// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/base/stopwatch.h"

namespace dubito {

/// How fast a laboratory plays: how much work is done between two pictures.
struct PlaybackSpeed {
  const char* name = nullptr;         ///< "slow"
  const char* explanation = nullptr;  ///< tooltip
  double budget_seconds = 0.0;        ///< of work per picture; 0: one unit
  int pause_milliseconds = 0;         ///< between two pictures
  std::int64_t units = 1;             ///< of work per picture, at least
  double share = 0.0;  ///< of the whole run per picture, at least, if the run has an end
};

/// From slow to fast. For laboratories whose units of work take milliseconds.
[[nodiscard]] const std::vector<PlaybackSpeed>& playbackSpeeds();
inline constexpr int kNormalSpeed = 1;

/// Chooses how many units of work to do at a time, so that a picture appears after about the
/// budget of the speed, whatever a unit costs.
class UnitPacer {
 public:
  /// Units for the next slice of a run of `total` units, at least 1.
  [[nodiscard]] std::int64_t units(const PlaybackSpeed& speed, std::int64_t total) const;
  void measured(std::int64_t units, double seconds);
  /// Advances `lab` by `units`, and measures how long they take.
  template <class Lab>
  [[nodiscard]] Status advance(Lab& lab, std::int64_t units, RunContext& context) {
    const std::int64_t before = lab.done();
    const Stopwatch watch;
    Status advanced = lab.advance(units, context);
    if (advanced) {
      measured(lab.done() - before, watch.seconds());
    }
    return advanced;
  }

 private:
  double seconds_per_unit_ = 0.0;  ///< 0: not measured yet
};

}  // namespace dubito
