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

/// What the window lets a user do with workspaces: save, open, find missing files; the window's
/// title, and the question before unsaved work is lost.
class WorkspaceCommands : public QObject {
  Q_OBJECT
 public:
  /// Adds its commands to the window and to the menus.
  WorkspaceCommands(QMainWindow& window, Workbench& workbench, QMenu& open_menu,
                    QMenu& export_menu);
  ~WorkspaceCommands() override;

  [[nodiscard]] WorkspaceKeeper& keeper() { return keeper_; }
  /// Belongs into the window; it lists files that are not as they were.
  [[nodiscard]] MissingFiles* missingFiles() { return missing_; }

  /// The next file dialog is not shown and answers this; for tests.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  /// The next question is not asked and answered so; for tests.
  void setNextAnswer(QMessageBox::StandardButton answer) { next_answer_ = answer; }

 Q_SIGNALS:
  void failed(const QString& message);
  void noticed(const QString& message);
  /// A message that was shown before does not hold any more.
  void withdrawn(const QString& message);

 protected:
  /// Closing asks if work would be lost.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void save(bool ask_name);
  void open();
  void openFile(const QString& path);
  void locate();
  void showTitle();
  void showProblems();
  [[nodiscard]] bool mayClose();
  /// Whether nothing would be lost, or a user gives it up; `then` is done once it was saved.
  [[nodiscard]] bool mayLoseWork(const QString& title, std::function<void()> then);
  [[nodiscard]] QMessageBox::StandardButton askToSave(const QString& title, int runs);
  /// Remembers a message that holds while something is computed.
  [[nodiscard]] QString whileComputing(const QString& message);
  void withdrawMessages();
  [[nodiscard]] QMessageBox::StandardButton askToReplace(const QString& path);
  /// With its ending; empty where a user gives it up.
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
  bool warned_ = false;  ///< closing again gives up what is being computed
  QStringList while_computing_;
};

}  // namespace dubito
