// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/session/workbench.h"
#include "app/workspace/workspace_open.h"
#include "app/workspace/workspace_save.h"

namespace dubito {

/// Result of the search for a missing file of a workspace.
struct Located {
  /// A file found for a missing one.
  struct Replacement {
    std::string from;
    std::string to;
    FileFingerprint content;
  };
  std::vector<Replacement> found;
  std::optional<WorkspaceProblem> differs;  ///< set if the offered file has other content
};

/// Saves the session as a workspace and opens it again; tracks files that are missing or changed,
/// and unsaved changes. Works on the threads of the workbench.
class WorkspaceKeeper : public QObject {
  Q_OBJECT
 public:
  /// `workbench` must outlive this.
  explicit WorkspaceKeeper(Workbench& workbench, QObject* parent = nullptr);
  ~WorkspaceKeeper() override;

  /// File of the workspace; empty before the first save.
  [[nodiscard]] const QString& path() const { return path_; }
  /// Whether anything was opened, closed, computed or selected since the last save.
  [[nodiscard]] bool modified() const;
  /// Number of unsaved runs requested by the user.
  [[nodiscard]] int unsavedRunCount() const;

  /// Ends with saved() or notSaved(); failed() reports the reason. Refused while opening() or
  /// saving().
  void save(const QString& path);
  [[nodiscard]] bool saving() const { return isActive(save_job_.state()); }
  /// Reads the file, then closes everything and opens the workspace. Refused while saving(), and if
  /// new unsaved runs were computed in the meantime.
  void open(const QString& path);
  /// Whether a workspace, or files of it that were located or accepted, are being opened.
  [[nodiscard]] bool opening() const { return isActive(open_job_.state()); }

  /// Files of the workspace that are missing, changed or cannot be opened.
  [[nodiscard]] const std::vector<WorkspaceProblem>& problems() const { return opened_.problems; }
  /// Uses `file` instead of the first problem's file if its content is the same; else the problem
  /// states the difference and accept() uses it. Other missing files are looked up at the same
  /// relative paths.
  void locate(const QString& file);
  /// Uses the file of the first problem despite its changes.
  void accept();
  /// Continues without the file of the first problem.
  void leaveOut();

 Q_SIGNALS:
  /// Path or modified() may have changed.
  void changed();
  void problemsChanged();
  void saved(const QString& path);
  /// Saving failed or was cancelled.
  void notSaved();
  void failed(const QString& message);
  void noticed(const QString& message);

 private:
  /// State compared to detect changes. Runs are compared by address and not kept alive.
  struct State {
    Workspace workspace;
    std::vector<const Run*> runs;
    friend bool operator==(const State&, const State&) = default;
  };
  [[nodiscard]] WorkspaceDraft draft() const;
  [[nodiscard]] State state() const;
  /// Unsaved runs requested by the user: the first one of each analysis.
  [[nodiscard]] std::vector<std::shared_ptr<const Run>> unsavedRuns() const;
  /// Whether the workspace can be changed now; emits failed() if not.
  [[nodiscard]] bool mayChange();
  void handleLocated(const Located& located, const std::string& problem,
                     const std::string& offered);
  void openRest(OpenedWorkspace next);
  void take(OpenedWorkspace opened, bool is_new);
  /// Restores the active entries, view and thresholds of the workspace.
  void restoreChoices();
  void report(const Error& error);

  Workbench& workbench_;
  Session& session_;
  QString path_;
  Workspace saved_;  ///< with fingerprints
  State saved_state_;
  OpenedWorkspace opened_;
  bool files_replaced_ = false;
  std::string candidate_;  ///< file offered for the first problem; empty: none
  Job save_job_;
  Job open_job_;
  Job locate_job_;
};

}  // namespace dubito
