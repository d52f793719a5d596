// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/review/queue_features.h"
#include "app/review/reviewer.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace dubito {

class ReviewMode;
class ReviewSheet;
class Workbench;

/// Labels of the run's items, checked in one of several modes. The bar above them chooses the
/// queue: which items, and in which order.
class ReviewPage : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive the page; `settings` as in Reviewer.
  ReviewPage(Workbench& workbench, QSettings& settings, QWidget* parent = nullptr);
  ~ReviewPage() override;

  [[nodiscard]] Reviewer& reviewer() { return reviewer_; }
  /// True while an image is loading, labels are written or a queue is built.
  [[nodiscard]] bool busy() const;
  /// Shows a mode: "single", "grid", "automatic", "learn", "results".
  void showMode(const QString& key);
  /// For tests: the next file dialog is skipped and returns `name`.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  void undo() { reviewer_.undo(); }
  void redo() { reviewer_.redo(); }

 Q_SIGNALS:
  void failed(const QString& message);
  /// Something worth knowing that is no failure.
  void noticed(const QString& message);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeBar();
  [[nodiscard]] ReviewMode& mode() const;
  void fillQueues();
  /// Shows which queues can be built now, and the runs that can be compared with.
  void offerQueues();
  /// Everything except the item.
  void showState();
  void showQueue();
  void showItem();
  /// Restricts the review to the items selected on the other pages now, or to all.
  void chooseRows(bool only_selected);
  void offerSelection();
  void exportLabels(const LabelFormat& format);
  void showKeys();
  [[nodiscard]] ReviewSheet& sheet();

  QString next_file_name_;
  Reviewer reviewer_;
  QueueFeatures features_;
  Session& session_;
  QStackedWidget* stack_;
  QLabel* welcome_;
  QPushButton* start_;
  QTabBar* mode_tabs_;
  QStackedWidget* modes_;
  QComboBox* queue_;
  QComboBox* other_run_;
  QLabel* why_;
  QCheckBox* only_selected_;
  QComboBox* hidden_;
  QCheckBox* advance_;
  QPushButton* keys_;
  QPushButton* export_;
  ReviewSheet* sheet_ = nullptr;
};

}  // namespace dubito
