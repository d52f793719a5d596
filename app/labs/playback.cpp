// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/playback.h"

#include <QtGlobal>
#include <algorithm>

namespace dubito {

const std::vector<PlaybackSpeed>& playbackSpeeds() {
  static const std::vector<PlaybackSpeed> speeds{
      {QT_TRANSLATE_NOOP("Labs", "Slow"),
       QT_TRANSLATE_NOOP("Labs", "One unit of work at a time, five pictures per second"), 0.0, 200},
      {QT_TRANSLATE_NOOP("Labs", "Normal"),
       QT_TRANSLATE_NOOP("Labs", "A picture about every 30 ms of work"), 0.03, 0},
      {QT_TRANSLATE_NOOP("Labs", "Fast"),
       QT_TRANSLATE_NOOP("Labs", "A picture about every 300 ms of work"), 0.3, 0}};
  return speeds;
}

std::int64_t UnitPacer::units(double budget_seconds) const {
  if (seconds_per_unit_ <= 0.0) {
    return 1;
  }
  constexpr double kMaxUnits = 1e6;
  return static_cast<std::int64_t>(std::clamp(budget_seconds / seconds_per_unit_, 1.0, kMaxUnits));
}

void UnitPacer::measured(std::int64_t units, double seconds) {
  if (units > 0) {
    // Clocks are coarse: a unit that took no time counts as very short.
    seconds_per_unit_ = std::max(seconds / static_cast<double>(units), 1e-7);
  }
}

}  // namespace dubito
