// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/jobs/newest_job.h"

class QLabel;
class QPushButton;
class QSettings;
class QVBoxLayout;

namespace dubito {

class DropTarget;
class FileOpener;
class RunComputer;
class Session;
class WindowJobs;

/// Shown while nothing is under review: what can be done next, and the reviews to continue.
class ReviewStart : public QWidget {
  Q_OBJECT
 public:
  /// Dependencies; all outlive it. `settings` list the reviews to continue.
  struct Parts {
    Session& session;
    QSettings& settings;
    WindowJobs& jobs;
    RunComputer& computer;
    FileOpener& opener;
  };
  explicit ReviewStart(const Parts& parts, QWidget* parent = nullptr);

  /// `obstacle`: why the shown run cannot be reviewed; empty: it can. `alone`: nothing but the
  /// review is shown, so that other ways to begin are not mentioned.
  void showState(const QString& obstacle, bool alone);

 Q_SIGNALS:
  void startRequested();
  /// The images of the run shown are to be chosen.
  void imagesRequested();
  /// A file with labels is to be chosen.
  void labelsRequested();
  void pathsDropped(const QStringList& paths);
  /// The labels of the open dataset are to be reviewed without a network.
  void datasetRequested();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void fillRecent();
  void countDecided();

  Parts parts_;
  NewestJob count_job_;
  QLabel* text_;
  QPushButton* start_;
  QPushButton* attach_;
  QPushButton* dataset_;
  QWidget* recent_;
  QVBoxLayout* recent_rows_;
  DropTarget* drop_;
};

}  // namespace dubito
