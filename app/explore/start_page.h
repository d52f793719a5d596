// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/jobs/newest_job.h"
#include "app/jobs/window_jobs.h"
#include "app/workbench/file_opener.h"

class QAction;
class QLabel;
class QVBoxLayout;

namespace dubito {

class DropTarget;

/// Shown while nothing is open: an introduction, the first commands, recent files, and a drop
/// target. Once a model or dataset is open, only the drop target is shown.
class StartPage : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kMaxRecent = 6;

  /// Both arguments outlive the page.
  StartPage(FileOpener& opener, WindowJobs& jobs, QWidget* parent = nullptr);

  /// Adds a button that triggers `action`, with `explanation` below it.
  void addCommand(QAction& action, const QString& text, const QString& explanation);
  [[nodiscard]] DropTarget& dropTarget() { return *drop_; }
  /// Shows or hides everything except the drop target.
  void setStartVisible(bool visible);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void fillRecent();
  void markMissing(const QStringList& specifications);

  FileOpener& opener_;
  NewestJob missing_job_;
  QWidget* beginning_;
  QVBoxLayout* commands_;
  QWidget* recent_;
  QVBoxLayout* recent_rows_;
  QLabel* none_;
  DropTarget* drop_;
};

}  // namespace dubito
