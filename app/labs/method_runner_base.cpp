// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/method_runner_base.h"

namespace dubito {

MethodRunnerBase::MethodRunnerBase(WorkerThread& worker, int threads, QObject* parent)
    : QObject(parent), job_(worker), threads_(threads) {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, [this] { startSlice(); });
}

MethodRunnerBase::~MethodRunnerBase() = default;

void MethodRunnerBase::setSeed(std::uint64_t seed) {
  seed_ = seed;
  restart();
}

void MethodRunnerBase::play() {
  playing_ = true;
  startSlice();
  Q_EMIT stateChanged();
}

void MethodRunnerBase::pause() {
  playing_ = false;
  pause_.stop();
  // Pictures of methods at rest may be finer.
  startSlice();
  Q_EMIT stateChanged();
}

void MethodRunnerBase::step() {
  playing_ = false;
  requestSteps();
  startSlice();
  Q_EMIT stateChanged();
}

void MethodRunnerBase::restart() {
  for (std::size_t i = 0; i < methodCount(); ++i) {
    drop(i);
  }
  startSlice();
  Q_EMIT stateChanged();
}

void MethodRunnerBase::restart(std::size_t index) {
  drop(index);
  startSlice();
  Q_EMIT stateChanged();
}

JobSettings MethodRunnerBase::jobSettings() const {
  JobSettings settings;
  settings.threads = threads_;
  settings.seed = seed_;
  return settings;
}

double MethodRunnerBase::budget() const {
  return playing_ ? playbackSpeeds()[static_cast<std::size_t>(speed_)].budget_seconds : 0.0;
}

void MethodRunnerBase::startSoon() {
  const auto& speed = playbackSpeeds()[static_cast<std::size_t>(speed_)];
  pause_.start(playing_ ? speed.pause_milliseconds : 0);
}

}  // namespace dubito
