// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/window_jobs.h"
#include "app/session/session.h"
#include "app/workbench/file_opener.h"
#include "app/workbench/run_computer.h"
#include "app/workbench/run_evaluator.h"
#include "app/workspace/workspace_open.h"
#include "app/workspace/workspace_save.h"

namespace dubito {

/// Result of the search for a missing file of a workspace.
struct Located {
  /// A path at which a missing file was found.
  struct Replacement {
    std::string from;  ///< path in the workspace
    std::string to;    ///< path at which the file was found
    FileFingerprint content;
  };
  std::vector<Replacement> found;
  std::optional<WorkspaceProblem> differs;  ///< set if the content of the offered file differs
};

/// Saves the session as a workspace, opens workspaces, and tracks missing or changed files and
/// unsaved changes. Works on the threads of the window.
class WorkspaceKeeper : public QObject {
  Q_OBJECT
 public:
  /// What it reads, and what it opens files with.
  struct Parts {
    Session& session;
    WindowJobs& jobs;
    RunComputer& computer;
    RunEvaluator& evaluator;
    FileOpener& opener;
  };
  /// The parts must outlive this.
  explicit WorkspaceKeeper(const Parts& parts, QObject* parent = nullptr);
  ~WorkspaceKeeper() override;

  /// File of the workspace; empty if the session was neither saved nor opened from a workspace.
  [[nodiscard]] const QString& path() const { return path_; }
  /// Whether models, datasets, runs or settings have changed since the workspace was saved or
  /// opened. Changes of the view or of the active entries do not count. False if path() is empty.
  [[nodiscard]] bool modified() const;
  /// Number of unsaved runs requested by the user.
  [[nodiscard]] int unsavedRunCount() const;

  /// Saves in the background and emits saved(), or failed() with the reason and notSaved(). Fails
  /// while opening() or saving().
  void save(const QString& path);
  [[nodiscard]] bool saving() const { return isActive(save_job_.state()); }
  /// Reads the file in the background, then closes everything and opens the workspace. Fails while
  /// saving(), or if new unsaved runs were computed in the meantime.
  void open(const QString& path);
  /// Whether a workspace, or a file of it that was located or accepted, is being opened.
  [[nodiscard]] bool opening() const { return isActive(open_job_.state()); }

  /// Files of the workspace that are missing, changed or cannot be opened.
  [[nodiscard]] const std::vector<WorkspaceProblem>& problems() const { return opened_.problems; }
  /// Uses `file` in place of the file of the first problem if both have the same content. Otherwise
  /// the problem states the difference, and accept() uses `file` anyway. Other missing files are
  /// searched for at the same paths relative to `file`.
  void locate(const QString& file);
  /// Uses the file of the first problem, or the file offered to locate(), despite its changes.
  void accept();
  /// Continues without the file of the first problem.
  void skip();

 Q_SIGNALS:
  /// path() or modified() may have changed.
  void changed();
  void problemsChanged();
  void saved(const QString& path);
  /// Saving failed or was cancelled.
  void notSaved();
  void failed(const QString& message);
  void noticed(const QString& message);
  /// The cause of `message`, which failed() reported, is gone.
  void withdrawn(const QString& message);

 private:
  /// The state that modified() compares. Runs are compared by address and are not kept alive.
  struct State {
    Workspace workspace;
    std::vector<const Run*> runs;
    friend bool operator==(const State&, const State&) = default;
  };
  /// Emits failed(), and remembers the message in `reported` until it is withdrawn.
  void fail(const QString& message, QStringList& reported);
  void withdraw(QStringList& reported);
  [[nodiscard]] WorkspaceDraft draft() const;
  [[nodiscard]] State state() const;
  /// The in-distribution run of each analysis with unsaved runs that the user requested.
  [[nodiscard]] std::vector<std::shared_ptr<const Run>> unsavedRuns() const;
  /// Whether the workspace can be changed now. Emits failed() if it cannot.
  [[nodiscard]] bool mayChange();
  void handleLocated(const Located& located, const std::string& problem,
                     const std::string& offered);
  void openRest(OpenedWorkspace next);
  void setOpened(OpenedWorkspace opened, bool is_new);
  /// Restores the active entries, view and thresholds of the workspace.
  void restoreChoices();
  void report(const Error& error);

  Parts parts_;
  Session& session_;
  QString path_;
  QStringList not_opened_;  ///< reported since a workspace was opened
  QStringList not_saved_;   ///< reported since it was saved
  Workspace saved_;         ///< the workspace as last saved or opened
  State saved_state_;
  OpenedWorkspace opened_;
  bool files_replaced_ = false;
  std::string candidate_;  ///< differing file offered for the first problem; empty: none
  Job save_job_;
  Job open_job_;
  Job locate_job_;
};

}  // namespace dubito
