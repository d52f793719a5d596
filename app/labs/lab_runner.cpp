// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_runner.h"

#include <utility>

#include "app/session/error_text.h"

namespace dubito {

std::int64_t SlicePace::units(const UnitPacer& pacer, std::int64_t total) const {
  return one_unit ? 1 : pacer.units(speed, total);
}

LabRunner::~LabRunner() = default;

void LabRunner::restart() {
  stop();
  wants_step_ = false;
  error_.clear();
  forget();
  Q_EMIT pictureChanged();
  proceed();
}

void LabRunner::startSlice() {
  // A run that has shown nothing starts even while paused.
  if (!isReady() || isFinished() || (!isPlaying() && !wants_step_ && hasStarted())) {
    return;
  }
  SlicePace pace;
  pace.one_unit = std::exchange(wants_step_, false);
  pace.advances = isPlaying() || pace.one_unit;
  pace.speed = speed();
  job().start<Show>(tr("Laboratory"), jobSettings(), slice(pace), this,
                    [this](const Expected<Show>& show) { deliver(show); });
}

void LabRunner::deliver(const Expected<Show>& show) {
  if (show) {
    (*show)();
    proceedSoon();
  } else if (show.error().code != ErrorCode::kCancelled) {
    error_ = errorText(show.error());
  }
  Q_EMIT pictureChanged();
  Q_EMIT stateChanged();
}

}  // namespace dubito
