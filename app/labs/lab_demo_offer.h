// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace dubito {

class Workbench;

/// What a laboratory that works on models and runs of the window lacks, with a button that opens
/// the demo. Hidden while it lacks nothing.
class LabDemoOffer : public QWidget {
  Q_OBJECT
 public:
  /// `workbench` outlives this.
  explicit LabDemoOffer(Workbench& workbench, QWidget* parent = nullptr);

  /// A sentence; empty: nothing is missing.
  void setMissing(const QString& text);

 private:
  void showState();

  Workbench& workbench_;
  QString missing_;
  QLabel* text_;
  QPushButton* open_;
};

}  // namespace dubito
