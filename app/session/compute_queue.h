// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <functional>
#include <vector>

#include "app/jobs/job.h"
#include "core/analysis/analysis.h"

namespace dubito {

/// Computations in the order in which they were asked for, one at a time. GUI thread only.
class ComputeQueue : public QObject {
  Q_OBJECT
 public:
  struct Computation {
    QString title;   ///< "MC dropout": what the status line calls it
    QString target;  ///< "lenet · MNIST test": what it is computed of
    JobSettings settings;
    Job::Work<AnalysisPtr> work;
    Job::Deliver<AnalysisPtr> deliver;  ///< also for a failure, or a cancellation while it runs
    bool wanted = true;                 ///< false: it comes back by itself (the demo)
  };
  /// A computation as a list shows it.
  struct Entry {
    int id = 0;
    QString title;
    QString target;
    bool running = false;
  };

  /// `worker` outlives the queue.
  explicit ComputeQueue(WorkerThread& worker, QObject* parent = nullptr);

  /// Starts it, or lets it wait for those before it.
  void add(Computation computation);
  /// Drops a computation that waits, without delivery; cancels it if it runs.
  void remove(int id);
  /// Drops all that wait.
  void clear();
  /// Drops what waits and comes back by itself, and cancels it if it runs.
  void removeUnwanted();

  /// The running one first.
  [[nodiscard]] std::vector<Entry> entries() const;
  [[nodiscard]] bool running() const { return isActive(job_.state()); }
  /// One that was asked for runs or waits.
  [[nodiscard]] bool hasWanted() const;
  [[nodiscard]] Job& job() { return job_; }
  [[nodiscard]] const Job& job() const { return job_; }

 Q_SIGNALS:
  /// entries() changed.
  void changed();

 private:
  struct Waiting {
    int id = 0;
    Computation computation;
  };
  void startNext();

  Job job_;
  Waiting current_;  ///< while running()
  std::deque<Waiting> waiting_;
  int last_id_ = 0;
};

}  // namespace dubito
