// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "app/jobs/child_reaper.h"
#include "app/jobs/job.h"
#include "app/jobs/worker_thread.h"

namespace dubito {

/// The worker threads of the window, and the jobs whose progress it shows and that it can cancel.
/// GUI thread only.
class WindowJobs : public QObject {
  Q_OBJECT
 public:
  explicit WindowJobs(QObject* parent = nullptr);

  /// Thread on which torch runs; other short work may be queued on it.
  [[nodiscard]] WorkerThread& computeThread() { return compute_thread_; }
  /// Thread for reading and writing files.
  [[nodiscard]] WorkerThread& fileThread() { return file_thread_; }
  /// Thread for evaluating runs and for finding items.
  [[nodiscard]] WorkerThread& listThread() { return list_thread_; }
  /// Outlives the threads that start children.
  [[nodiscard]] ChildReaper& childReaper() { return child_reaper_; }
  /// Number of threads that a job may use.
  [[nodiscard]] int threads() const { return threads_; }
  /// Settings of a job that uses all threads and has no choices of its own.
  [[nodiscard]] JobSettings settings() const;

  /// Whether the user would miss the result of a cancelled job (kWanted) or not (kRepeatable).
  enum class Outcome { kRepeatable, kWanted };
  /// Registers `job` for progress and cancellation until it is destroyed.
  void watch(Job& job, Outcome outcome = Outcome::kRepeatable);
  [[nodiscard]] bool busy() const;
  /// Whether a job with Outcome::kWanted is active.
  [[nodiscard]] bool hasWanted() const;
  /// Cancels all jobs.
  void cancel();
  /// Sets the text of the next finished signal.
  void setDoneText(const QString& text) { done_text_ = text; }

 Q_SIGNALS:
  void started(const QString& title);
  /// `title`: of the job whose progress it is.
  void progressed(const dubito::Progress& progress, const QString& title);
  /// All jobs have ended; `text` states the result.
  void finished(const QString& text);
  /// hasWanted() changed.
  void wantedChanged();
  /// cancel() was called: what waits to be started is not wanted any more.
  void cancelled();

 private:
  int threads_;
  std::vector<Job*> watched_;
  std::vector<Job*> wanted_;  ///< jobs in watched_ with Outcome::kWanted
  QString done_text_;
  ChildReaper child_reaper_;  ///< outlives the thread that starts children
  WorkerThread compute_thread_;
  WorkerThread file_thread_;
  WorkerThread list_thread_;
};

}  // namespace dubito
