// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <utility>

#include "app/jobs/job.h"

namespace dubito {

/// A job that is asked faster than it answers, as while a mouse is dragged: what runs is finished
/// and shown, and of the questions that came meanwhile only the last is worked on.
class NewestJob : public QObject {
  Q_OBJECT
 public:
  /// `worker` must outlive the job.
  explicit NewestJob(WorkerThread& worker, QObject* parent = nullptr);

  /// As Job::start, now or as soon as what runs is done. Dropped where another question follows
  /// before that.
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

  /// An answer is still to come.
  [[nodiscard]] bool busy() const { return isActive(job_.state()) || waiting_ != nullptr; }

  /// Forgets what runs and what waits; no answer arrives any more.
  void abandon();

 private:
  Job job_;
  std::function<void()> waiting_;
};

}  // namespace dubito
