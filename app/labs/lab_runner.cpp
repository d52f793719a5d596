// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_runner.h"

#include <algorithm>
#include <utility>

namespace dubito {

std::int64_t SlicePace::units(const UnitPacer& pacer) const {
  return one_unit ? 1 : std::max(least_units, pacer.units(budget_seconds));
}

LabRunner::LabRunner(WorkerThread& worker, int threads, const std::vector<PlaybackSpeed>& speeds,
                     QObject* parent)
    : QObject(parent), job_(worker), threads_(threads), speeds_(speeds) {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, &LabRunner::startSlice);
}

LabRunner::~LabRunner() = default;

void LabRunner::setSeed(std::uint64_t seed) {
  seed_ = seed;
  restart();
}

void LabRunner::play() {
  playing_ = true;
  startSlice();
}

void LabRunner::pause() {
  playing_ = false;
  pause_.stop();
  Q_EMIT stateChanged();
}

void LabRunner::step() {
  playing_ = false;
  wants_step_ = true;
  startSlice();
}

void LabRunner::restart() {
  job_.abandon();
  pause_.stop();
  wants_step_ = false;
  error_.clear();
  forget();
  Q_EMIT pictureChanged();
  startSlice();
}

void LabRunner::startSlice() {
  // A run that has shown nothing starts even while paused.
  const bool has_work = isReady() && !isFinished() && (playing_ || wants_step_ || !hasStarted());
  if (!isActive(job_.state()) && has_work) {
    SlicePace pace;
    pace.one_unit = std::exchange(wants_step_, false);
    pace.advances = playing_ || pace.one_unit;
    pace.budget_seconds = speed().budget_seconds;
    pace.least_units = speed().units;
    JobSettings settings;
    settings.threads = threads_;
    settings.seed = seed_;
    job_.start<Show>(tr("Laboratory"), settings, slice(pace), this,
                     [this](const Expected<Show>& show) { deliver(show); });
  }
  Q_EMIT stateChanged();
}

void LabRunner::deliver(const Expected<Show>& show) {
  if (show) {
    (*show)();
    pause_.start(playing_ ? speed().pause_milliseconds : 0);
  } else if (show.error().code != ErrorCode::kCancelled) {
    error_ = QString::fromStdString(show.error().message);
  }
  Q_EMIT pictureChanged();
  Q_EMIT stateChanged();
}

}  // namespace dubito
