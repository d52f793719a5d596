// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <utility>

#include "app/jobs/job.h"

namespace dubito {

/// A job for requests that arrive faster than they complete, such as while dragging: the running
/// request finishes, and of those that arrive meanwhile only the last is executed.
class NewestJob : public QObject {
  Q_OBJECT
 public:
  /// `worker` must outlive the job.
  explicit NewestJob(WorkerThread& worker, QObject* parent = nullptr);

  /// Like Job::start, now or after the running request. Dropped if a newer request arrives first.
  template <class R>
  void ask(const QString& title, const JobSettings& settings, Job::Work<R> work, QObject* receiver,
           Job::Deliver<R> deliver) {
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
