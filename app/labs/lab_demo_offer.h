// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace dubito {

class FileOpener;
class Session;
class WindowJobs;

/// What a laboratory that works on models and runs of the window lacks, with a button that opens
/// the demo. Hidden while it lacks nothing.
class LabDemoOffer : public QWidget {
  Q_OBJECT
 public:
  /// All arguments outlive this.
  LabDemoOffer(Session& session, WindowJobs& jobs, FileOpener& opener, QWidget* parent = nullptr);

  /// A sentence; empty: nothing is missing.
  void setMissing(const QString& text);

 private:
  void showState();

  Session& session_;
  WindowJobs& jobs_;
  FileOpener& opener_;
  QString missing_;
  QLabel* text_;
  QPushButton* open_;
};

}  // namespace dubito
