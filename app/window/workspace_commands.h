// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>
#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include "app/workspace/workspace_keeper.h"

class QMainWindow;
class QMenu;

namespace dubito {

class MissingFiles;

/// Workspace commands of the window: save, open, locate missing files; also the window title and
/// the prompt before unsaved work is lost.
class WorkspaceCommands : public QObject {
  Q_OBJECT
 public:
  /// Adds its commands to the window and to the menus.
  WorkspaceCommands(QMainWindow& window, Workbench& workbench, QMenu& open_menu,
                    QMenu& export_menu);
  ~WorkspaceCommands() override;

  [[nodiscard]] WorkspaceKeeper& keeper() { return keeper_; }
  /// Placed in the window; lists missing or changed files.
  [[nodiscard]] MissingFiles* missingFiles() { return missing_; }

  /// Skips the next file dialog and returns this name; for tests.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  /// Skips the next prompt and returns this answer; for tests.
  void setNextAnswer(QMessageBox::StandardButton answer) { next_answer_ = answer; }

 Q_SIGNALS:
  void failed(const QString& message);
  void noticed(const QString& message);
  /// An earlier message no longer applies.
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
  /// Returns true if nothing would be lost or the user discards it; after saving, runs `then`.
  [[nodiscard]] bool confirmDiscard(const QString& title, std::function<void()> then);
  [[nodiscard]] QMessageBox::StandardButton askToSave(const QString& title, int runs);
  /// Records a message that applies only while computing.
  [[nodiscard]] QString whileComputing(const QString& message);
  void withdrawMessages();
  [[nodiscard]] QMessageBox::StandardButton askToReplace(const QString& path);
  /// With file suffix; empty if cancelled.
  [[nodiscard]] QString takeNameToSave();
  [[nodiscard]] QString takeFileName(bool to_save, const QString& title, const QString& filter);

  QMainWindow& window_;
  Workbench& workbench_;
  Session& session_;
  WorkspaceKeeper keeper_;
  MissingFiles* missing_;
  QString next_file_name_;
  std::optional<QMessageBox::StandardButton> next_answer_;
  std::function<void()> when_saved_;
  bool warned_ = false;  ///< closing again discards the running computation
  QStringList while_computing_;
};

}  // namespace dubito
