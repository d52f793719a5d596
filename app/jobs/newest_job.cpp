// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/newest_job.h"

namespace dubito {

NewestJob::NewestJob(WorkerThread& worker, QObject* parent) : QObject(parent), job_(worker) {
  connect(&job_, &Job::delivered, this, [this] {
    if (const auto begin = std::exchange(waiting_, nullptr)) {
      begin();
    }
  });
}

void NewestJob::abandon() {
  waiting_ = nullptr;
  job_.abandon();
}

}  // namespace dubito
