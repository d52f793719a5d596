// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_player.h"

namespace dubito {

LabPlayer::LabPlayer(WorkerThread& worker, int threads, const std::vector<PlaybackSpeed>& speeds,
                     QObject* parent)
    : QObject(parent), job_(worker), threads_(threads), speeds_(speeds) {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, &LabPlayer::proceed);
}

LabPlayer::~LabPlayer() = default;

void LabPlayer::setSeed(std::uint64_t seed) {
  seed_ = seed;
  restart();
}

void LabPlayer::play() {
  playing_ = true;
  proceed();
}

void LabPlayer::pause() {
  playing_ = false;
  pause_.stop();
  Q_EMIT stateChanged();
}

void LabPlayer::step() {
  playing_ = false;
  requestStep();
  proceed();
}

void LabPlayer::proceed() {
  // What a pause waited for happens now; without methods, nothing is left to wait for.
  pause_.stop();
  if (!isActive(job_.state())) {
    startSlice();
  }
  Q_EMIT stateChanged();
}

void LabPlayer::proceedSoon() {
  pause_.start(playing_ ? speed().pause_milliseconds : 0);
}

void LabPlayer::stop() {
  job_.abandon();
  pause_.stop();
}

JobSettings LabPlayer::jobSettings() const {
  JobSettings settings;
  settings.threads = threads_;
  settings.seed = seed_;
  settings.precedence = watched_ ? Precedence::kUsual : Precedence::kLow;
  return settings;
}

}  // namespace dubito
