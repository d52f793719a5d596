// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/jobs/newest_job.h"
#include "app/session/workbench.h"

class QAction;
class QLabel;
class QVBoxLayout;

namespace dubito {

class DropTarget;

/// What the window shows while nothing is open: what the program does, commands to begin with, the
/// files opened last, and where to drop others. Of a page that waits for something else it leaves
/// only the place to drop files.
class StartPage : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kMostRecent = 6;

  /// `workbench` outlives the page.
  explicit StartPage(Workbench& workbench, QWidget* parent = nullptr);

  /// Adds a button that carries out `action`, with `explanation` below it.
  void addCommand(QAction& action, const QString& text, const QString& explanation);
  [[nodiscard]] DropTarget& dropTarget() { return *drop_; }
  /// Whether the commands and the files opened last are shown.
  void setBeginning(bool beginning);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void fillRecent();
  void markMissing(const QStringList& specifications);

  Workbench& workbench_;
  NewestJob missing_job_;
  QWidget* beginning_;
  QVBoxLayout* commands_;
  QWidget* recent_;
  QVBoxLayout* recent_rows_;
  QLabel* none_;
  DropTarget* drop_;
};

}  // namespace dubito
