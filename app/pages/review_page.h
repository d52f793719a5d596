// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QWidget>

#include "app/review/queue_features.h"
#include "app/review/reviewer.h"
#include "widgets/progress_strip.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace dubito {

class ReviewBar;
class ReviewEndNotice;
class ReviewMode;
class ReviewNotice;
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
  void setNextFileName(const QString& name);
  /// Closes a notice if this key does that; false: it has another meaning.
  bool takeCancel(const QKeyEvent& event);
  void undo() { reviewer_.undo(); }
  void redo() { reviewer_.redo(); }

 Q_SIGNALS:
  void failed(const QString& message);
  /// Something worth knowing that is no failure.
  void noticed(const QString& message);
  /// A notice does not hold any more.
  void withdrawn(const QString& message);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeWelcome();
  [[nodiscard]] QWidget* makeWork(Workbench& workbench);
  [[nodiscard]] ReviewMode& mode() const;
  /// To the mode that has asked for the queue.
  void goBack();
  /// Why the review cannot start now, as a sentence; empty: it can.
  [[nodiscard]] QString obstacle() const;
  /// Everything except the item.
  void showState();
  void showItem();
  /// Whether a part of the queue has ended.
  void showEnd();
  /// Closes the first notice; false: none is shown.
  bool dismissNotice();
  [[nodiscard]] ReviewSheet& sheet();

  Workbench& workbench_;
  Reviewer reviewer_;
  ProgressEstimate estimate_;  ///< of a computation that the review waits for
  QElapsedTimer since_;
  QueueFeatures features_;
  QStackedWidget* stack_;
  QLabel* welcome_;
  QPushButton* start_;
  ReviewBar* bar_;
  ReviewNotice* exported_;
  ReviewEndNotice* end_;
  QStackedWidget* modes_;
  ReviewSheet* sheet_ = nullptr;
};

}  // namespace dubito
