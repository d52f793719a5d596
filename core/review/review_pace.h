// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labels/decision.h"

namespace dubito {

/// Most milliseconds for one image; after a longer time, there was a break.
inline constexpr std::int64_t kLongestDecisionMs = 60'000;

/// The speed of a stretch of a review.
struct RatePoint {
  std::int64_t decisions = 0;  ///< images up to the end of the stretch
  double per_minute = 0.0;
};

/// How fast persons decide about images.
struct ReviewPace {
  std::int64_t images = 0;  ///< decided in a known time
  double spent_ms = 0.0;    ///< for them
  /// Stretches of about equal time; empty if too little is known.
  std::vector<RatePoint> stretches = {};

  /// NaN without a known time.
  [[nodiscard]] double perMinute() const;
};

/// A step takes the time since the step before it of the same person; the first one of a person has
/// no known time. A step of many images counts them all, and its time once. An image counts when a
/// person settles it for the first time: a second decision by the same person, a skip and
/// a flag take time only. Steps that are undone are left out with their time, those after them keep
/// theirs, so that undo and redo change nothing. A time of more than a minute, for a step of many
/// images of more than two seconds per image if that is longer, is a break: the step is left out.
///
/// A stretch has at least five images and ten seconds, and at least a fortieth of the whole time;
/// what remains at the end is left out, unless it is all there is.
[[nodiscard]] ReviewPace paceOf(std::span<const RecordedDecision> journal);

}  // namespace dubito
