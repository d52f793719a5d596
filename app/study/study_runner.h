// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <string>

#include "app/jobs/child_reaper.h"
#include "app/jobs/job.h"
#include "app/jobs/worker_thread.h"

namespace dubito {

class RunComputer;
class WindowJobs;

/// A study to compute.
struct StudyRequest {
  std::string text;    ///< of the study file
  std::string folder;  ///< for the results; those that the study still has are kept
};

/// Computes studies, one at a time, with `dubito-cli study --resume` in a separate process, so that
/// the window stays usable, and a crash or an end of the window costs at most the running result.
/// GUI thread only.
class StudyRunner : public QObject {
  Q_OBJECT
 public:
  /// Both arguments must outlive this.
  StudyRunner(WindowJobs& jobs, RunComputer& computer, QObject* parent = nullptr);
  ~StudyRunner() override;

  /// Sets the program. Default: dubito-cli in the folder of this program.
  void setProgram(const std::string& path) { program_ = path; }

  /// Writes the text to FOLDER/study.json and computes. Does nothing while a study is running. A
  /// folder with files that are not of a study is refused.
  void start(const StudyRequest& request);
  /// Ends the computation; its results so far are in the folder, and start() continues.
  void cancel() { job_.cancel(); }
  [[nodiscard]] bool running() const { return isActive(job_.state()); }
  /// Of the study that was started last.
  [[nodiscard]] JobState state() const { return job_.state(); }
  [[nodiscard]] const std::string& folder() const { return folder_; }

 Q_SIGNALS:
  /// running() changed.
  void changed();
  void progressed(const dubito::Progress& progress);
  /// The tables of the study in `folder` have been written.
  void finished(const QString& folder);
  /// Nothing, or only a part, was computed. If tables were written nevertheless, finished()
  /// follows.
  void failed(const QString& message);

 private:
  struct Outcome;
  void deliver(const Expected<Outcome>& outcome);

  WindowJobs& jobs_;
  RunComputer& computer_;
  std::string program_;
  std::string folder_;
  std::weak_ptr<const void> child_;  ///< until the process of the last study has exited
  ChildReaper reaper_;               ///< outlives the thread that starts processes
  WorkerThread thread_;              ///< a study takes too long for the threads of the workbench
  Job job_;
};

}  // namespace dubito
