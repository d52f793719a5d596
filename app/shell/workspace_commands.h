// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>
#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <utility>

#include "app/workspace/workspace_keeper.h"

class QAction;
class QMainWindow;
class QMenu;

namespace dubito {

class MissingFiles;

/// Workspace commands of the window: save, open, locate missing files. Also sets the window title
/// and prompts the user before unsaved work is lost.
class WorkspaceCommands : public QObject {
  Q_OBJECT
 public:
  /// Adds the commands to the window and to the menus. `parts`: what the keeper() uses.
  WorkspaceCommands(QMainWindow& window, const WorkspaceKeeper::Parts& parts, QMenu& open_menu,
                    QMenu& export_menu);
  ~WorkspaceCommands() override;

  [[nodiscard]] WorkspaceKeeper& keeper() { return keeper_; }
  /// The widget that shows missing or changed files; the window places it.
  [[nodiscard]] MissingFiles* missingFiles() { return missing_; }

  [[nodiscard]] QAction& openCommand() { return *open_; }

  /// What is saved already and need not worry the person who closes the window; empty: nothing.
  void setSavedNote(std::function<QString()> note) { saved_note_ = std::move(note); }

  /// What else is to be settled before the window closes; false: it stays open.
  void setMayClose(std::function<bool()> may_close) { may_close_ = std::move(may_close); }

  /// For tests: the next file dialog is skipped and returns `name`.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  /// For tests: the next prompt is skipped and returns `answer`.
  void setNextAnswer(QMessageBox::StandardButton answer) { next_answer_ = answer; }

 Q_SIGNALS:
  void failed(const QString& message);
  void noticed(const QString& message);
  /// A message emitted earlier no longer applies.
  void withdrawn(const QString& message);

 protected:
  /// Prompts before closing if work would be lost.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void save(bool ask_name);
  void open();
  void openFile(const QString& path);
  void locate();
  void showTitle();
  void showProblems();
  [[nodiscard]] bool mayClose();
  /// Prompts the user if unsaved work would be lost. Returns true if there is none or the user
  /// discards it. If the user saves it, returns false and calls `then` after saving.
  [[nodiscard]] bool confirmDiscard(const QString& title, std::function<void()> then);
  [[nodiscard]] QMessageBox::StandardButton askToSave(const QString& title, int runs);
  /// Records that `message` applies only while a computation is running, and returns it.
  [[nodiscard]] QString whileComputing(const QString& message);
  void withdrawMessages();
  [[nodiscard]] QMessageBox::StandardButton askToReplace(const QString& path);
  /// Asks for the file name to save to, with suffix; empty if cancelled.
  [[nodiscard]] QString takeNameToSave();
  [[nodiscard]] QString takeFileName(bool to_save, const QString& title, const QString& filter);

  QMainWindow& window_;
  const Session& session_;
  const WindowJobs& jobs_;
  const RunComputer& computer_;
  RecentFiles& recent_;
  WorkspaceKeeper keeper_;
  MissingFiles* missing_;
  QAction* open_;
  QString next_file_name_;
  std::optional<QMessageBox::StandardButton> next_answer_;
  std::function<QString()> saved_note_;
  std::function<bool()> may_close_;
  std::function<void()> when_saved_;
  /// The user was warned that closing again discards the running computation.
  bool warned_ = false;
  QStringList while_computing_;
};

}  // namespace dubito
