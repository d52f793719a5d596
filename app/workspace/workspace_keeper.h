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

/// What a search for a file of a workspace came to.
struct Located {
  /// A file that was found in the place of another.
  struct Replacement {
    std::string from;
    std::string to;
    FileFingerprint content;
  };
  std::vector<Replacement> found;
  std::optional<WorkspaceProblem> differs;  ///< the file that was offered is another one
};

/// Saves what is open as a workspace and opens it again; knows which files of it are not as they
/// were, and whether anything changed since. Works on the threads of the workbench.
class WorkspaceKeeper : public QObject {
  Q_OBJECT
 public:
  /// `workbench` outlives the keeper.
  explicit WorkspaceKeeper(Workbench& workbench, QObject* parent = nullptr);
  ~WorkspaceKeeper() override;

  /// File of the workspace; empty before the first save.
  [[nodiscard]] const QString& path() const { return path_; }
  /// Something was opened, closed, computed or chosen since it was saved.
  [[nodiscard]] bool modified() const;
  /// How many runs that a user asked for are unsaved.
  [[nodiscard]] int unsavedRunCount() const;

  /// Ends with saved() or notSaved(); failed() says why not. Refused while opening() or saving().
  void save(const QString& path);
  [[nodiscard]] bool saving() const { return isActive(save_job_.state()); }
  /// Closes what is open, once the file was read, and opens what it names. Refused while saving(),
  /// and where runs that would be lost were computed since it was asked for.
  void open(const QString& path);
  /// A workspace is being opened, or its files that were located or accepted.
  [[nodiscard]] bool opening() const { return isActive(open_job_.state()); }

  /// Files of the workspace that are not as they were, or cannot be opened.
  [[nodiscard]] const std::vector<WorkspaceProblem>& problems() const { return opened_.problems; }
  /// Takes `file` in the place of the first problem's file, if its content is the same; else the
  /// problem tells how it differs, and accept() takes it. Others that lie beside it, as they lay
  /// beside the first one, are found with it.
  void locate(const QString& file);
  /// Takes the file of the first problem as it is now.
  void accept();
  /// Goes on without the file of the first problem.
  void leaveOut();

 Q_SIGNALS:
  /// Path or modified() may have changed.
  void changed();
  void problemsChanged();
  void saved(const QString& path);
  /// It failed or was cancelled.
  void notSaved();
  void failed(const QString& message);
  void noticed(const QString& message);

 private:
  /// What is compared to find changes. Runs are told apart, not kept.
  struct State {
    Workspace workspace;
    std::vector<const Run*> runs;
    friend bool operator==(const State&, const State&) = default;
  };
  [[nodiscard]] WorkspaceDraft draft() const;
  [[nodiscard]] State state() const;
  /// Unsaved runs that a user asked for: the first one of each analysis.
  [[nodiscard]] std::vector<std::shared_ptr<const Run>> unsavedRuns() const;
  /// Whether what is open can be changed now; says why not.
  [[nodiscard]] bool mayChange();
  void takeLocated(const Located& located, const std::string& problem, const std::string& offered);
  void openRest(OpenedWorkspace next);
  void take(OpenedWorkspace opened, bool is_new);
  /// What was chosen in the workspace is chosen again.
  void choose();
  void report(const Error& error);

  Workbench& workbench_;
  Session& session_;
  QString path_;
  Workspace saved_;  ///< with the fingerprints that were taken
  State saved_state_;
  OpenedWorkspace opened_;
  bool files_replaced_ = false;
  std::string candidate_;  ///< file that stands in for the first problem's, where one was offered
  Job save_job_;
  Job open_job_;
  Job locate_job_;
};

}  // namespace dubito
