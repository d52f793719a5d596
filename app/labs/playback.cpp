// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/playback.h"

#include <QtGlobal>
#include <algorithm>

namespace dubito {

const std::vector<PlaybackSpeed>& playbackSpeeds() {
  static const std::vector<PlaybackSpeed> speeds{
      {QT_TRANSLATE_NOOP("Labs", "Slow"),
       QT_TRANSLATE_NOOP("Labs", "The whole run in about a hundred pictures, ten per second"), 0.0,
       100, 1, 0.01},
      {QT_TRANSLATE_NOOP("Labs", "Normal"),
       QT_TRANSLATE_NOOP("Labs", "A picture about every 30 ms of work"), 0.03, 0},
      {QT_TRANSLATE_NOOP("Labs", "Fast"),
       QT_TRANSLATE_NOOP("Labs", "A picture about every 300 ms of work"), 0.3, 0}};
  return speeds;
}

std::int64_t UnitPacer::units(const PlaybackSpeed& speed, std::int64_t total) const {
  constexpr double kMaxUnits = 1e6;
  const auto share = static_cast<std::int64_t>(speed.share * static_cast<double>(total));
  const std::int64_t least = std::max({speed.units, share, std::int64_t{1}});
  if (seconds_per_unit_ <= 0.0) {
    return least;
  }
  const double in_budget = std::min(speed.budget_seconds / seconds_per_unit_, kMaxUnits);
  return std::max(least, static_cast<std::int64_t>(in_budget));
}

void UnitPacer::measured(std::int64_t units, double seconds) {
  if (units > 0) {
    // Clocks are coarse: a unit that took no time counts as very short.
    seconds_per_unit_ = std::max(seconds / static_cast<double>(units), 1e-7);
  }
}

}  // namespace dubito
