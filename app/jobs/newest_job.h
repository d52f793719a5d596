// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <utility>

#include "app/jobs/job.h"

namespace dubito {

/// A job for requests that may arrive faster than they complete, for example while the user drags.
/// The running request finishes; of the requests that arrive in the meantime, only the last is
/// executed.
class NewestJob : public QObject {
  Q_OBJECT
 public:
  /// `worker` must outlive the job.
  explicit NewestJob(WorkerThread& worker, QObject* parent = nullptr);

  /// Like Job::start, but waits for a running request. Dropped if a newer request arrives while it
  /// waits.
  template <class R>
  void submit(const QString& title, const JobSettings& settings, Job::Work<R> work,
              QObject* receiver, Job::Deliver<R> deliver) {
    std::function<void()> begin = [this, title, settings, work = std::move(work),
                                   target = QPointer<QObject>(receiver),
                                   deliver = std::move(deliver)] {
      if (target) {
        job_.start<R>(title, settings, work, target, deliver);
      }
    };
    if (isActive(job_.state())) {
      waiting_ = std::move(begin);
    } else {
      begin();
    }
  }

  /// True while a result is pending.
  [[nodiscard]] bool busy() const { return isActive(job_.state()) || waiting_ != nullptr; }

  /// Drops running and waiting requests; no result is delivered.
  void abandon();

 private:
  Job job_;
  std::function<void()> waiting_;
};

}  // namespace dubito
