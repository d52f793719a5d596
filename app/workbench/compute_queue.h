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

/// Runs computations one at a time, in the order in which they were added. GUI thread only.
class ComputeQueue : public QObject {
  Q_OBJECT
 public:
  struct Computation {
    QString title;   ///< "MC dropout", for the status line
    QString target;  ///< "lenet · MNIST test": model and dataset
    JobSettings settings;
    Job::Work<AnalysisPtr> work;
    /// Receives the result. Also called if the computation fails or is cancelled while running.
    Job::Deliver<AnalysisPtr> deliver;
    bool wanted = true;  ///< requested by the user; false: automatic (the demo)
  };
  /// A running or waiting computation, for display.
  struct Entry {
    int id = 0;
    QString title;
    QString target;
    bool running = false;
  };

  /// Computations run on `worker`, which must outlive the queue.
  explicit ComputeQueue(WorkerThread& worker, QObject* parent = nullptr);

  /// Starts `computation`, or queues it behind the others.
  void add(Computation computation);
  /// Removes a waiting computation without calling its `deliver`, or cancels the running one.
  void remove(int id);
  /// Removes all waiting computations.
  void clear();
  /// Removes or cancels all computations that the user did not request.
  void cancelAutomatic();

  /// All computations, the running one first.
  [[nodiscard]] std::vector<Entry> entries() const;
  [[nodiscard]] bool running() const { return isActive(job_.state()); }
  /// Whether a computation requested by the user is running or waiting.
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
  Waiting current_;  ///< valid while running()
  std::deque<Waiting> waiting_;
  int last_id_ = 0;
};

}  // namespace dubito
