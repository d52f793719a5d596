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

/// Runs computations one at a time, in the order of the requests. GUI thread only.
class ComputeQueue : public QObject {
  Q_OBJECT
 public:
  struct Computation {
    QString title;   ///< "MC dropout", for the status line
    QString target;  ///< "lenet · MNIST test": model and dataset
    JobSettings settings;
    Job::Work<AnalysisPtr> work;
    Job::Deliver<AnalysisPtr> deliver;  ///< also called on failure or cancellation while running
    bool wanted = true;                 ///< requested by the user; false: automatic (the demo)
  };
  /// A computation as shown in lists.
  struct Entry {
    int id = 0;
    QString title;
    QString target;
    bool running = false;
  };

  /// `worker` must outlive the queue.
  explicit ComputeQueue(WorkerThread& worker, QObject* parent = nullptr);

  /// Starts it, or queues it behind the others.
  void add(Computation computation);
  /// Drops a waiting computation without delivery; cancels a running one.
  void remove(int id);
  /// Drops all waiting computations.
  void clear();
  /// Drops, or cancels, computations that the user did not request.
  void cancelAutomatic();

  /// The running one first.
  [[nodiscard]] std::vector<Entry> entries() const;
  [[nodiscard]] bool running() const { return isActive(job_.state()); }
  /// Whether a computation requested by the user runs or waits.
  [[nodiscard]] bool hasUserRequested() const;
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
