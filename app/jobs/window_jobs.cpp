// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/window_jobs.h"

#include <algorithm>
#include <utility>

#include "core/base/thread_count.h"

namespace dubito {

WindowJobs::WindowJobs(QObject* parent) : QObject(parent), threads_(processorCount()) {}

JobSettings WindowJobs::settings() const {
  JobSettings settings;
  settings.threads = threads_;
  return settings;
}

void WindowJobs::watch(Job& job, Outcome outcome) {
  watched_.push_back(&job);
  if (outcome == Outcome::kWanted) {
    wanted_.push_back(&job);
    connect(&job, &Job::stateChanged, this, &WindowJobs::wantedChanged);
  }
  connect(&job, &QObject::destroyed, this, [this, &job] {
    std::erase(watched_, &job);
    std::erase(wanted_, &job);
  });
  connect(&job, &Job::stateChanged, this, [this, &job](JobState state) {
    if (state == JobState::kQueued) {
      Q_EMIT started(job.title());
    }
  });
  connect(&job, &Job::delivered, this, [this, &job] {
    if (busy()) {
      return;
    }
    if (job.state() == JobState::kCancelled) {
      done_text_ = tr("%1: cancelled").arg(job.title());
    } else if (job.state() == JobState::kFailed) {
      done_text_ = tr("%1: failed").arg(job.title());
    }
    Q_EMIT finished(std::exchange(done_text_, {}));
  });
  connect(&job, &Job::progressChanged, this,
          [this, &job](const Progress& progress) { Q_EMIT progressed(progress, job.title()); });
}

bool WindowJobs::busy() const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [](const Job* job) { return isActive(job->state()); });
}

bool WindowJobs::hasWanted() const {
  return std::any_of(wanted_.begin(), wanted_.end(),
                     [](const Job* job) { return isActive(job->state()); });
}

void WindowJobs::cancel() {
  Q_EMIT cancelled();
  for (Job* const job : watched_) {
    job->cancel();
  }
}

}  // namespace dubito
