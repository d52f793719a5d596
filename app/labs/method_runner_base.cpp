// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/method_runner_base.h"

#include "app/session/error_text.h"

namespace dubito {

MethodRunnerBase::MethodRunnerBase(WorkerThread& worker, int threads, QObject* parent)
    : LabPlayer(worker, threads, playbackSpeeds(), parent) {}

MethodRunnerBase::~MethodRunnerBase() = default;

void MethodRunnerBase::pause() {
  LabPlayer::pause();
  // Pictures of methods at rest may be finer.
  proceed();
}

void MethodRunnerBase::restart() {
  const std::size_t count = methodKeys().size();
  for (std::size_t i = 0; i < count; ++i) {
    drop(i);
  }
  proceed();
}

void MethodRunnerBase::restart(std::size_t index) {
  drop(index);
  proceed();
}

void MethodRunnerBase::replaceData(const Status& checked) {
  data_error_ = checked ? QString() : errorText(checked.error());
  restart();
  Q_EMIT dataChanged();
}

}  // namespace dubito
