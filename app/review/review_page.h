// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

#include "app/page/page.h"
#include "app/review/queue/queue_features.h"
#include "app/review/reviewer.h"
#include "widgets/progress_strip.h"

class QStackedWidget;

namespace dubito {

class FileOpener;
class ReviewBar;
class ReviewEndNotice;
class ReviewMode;
class ReviewNeedsNetwork;
class ReviewNotice;
class ReviewSheet;
class ReviewStart;

/// Labels of the run's items, checked in one of several modes. The bar above them chooses the
/// queue: which items, and in which order.
class ReviewPage : public Page {
  Q_OBJECT
 public:
  /// All arguments must outlive the page; `settings` as in Reviewer.
  ReviewPage(Session& session, WindowJobs& jobs, RunComputer& computer, FileOpener& opener,
             QSettings& settings, QWidget* parent = nullptr);
  ~ReviewPage() override;

  [[nodiscard]] Reviewer& reviewer() { return reviewer_; }
  /// True while an image is loading, labels are written or a queue is built.
  [[nodiscard]] bool busy() const override;
  /// Shows a mode: "single", "grid", "automatic", "learn", "results".
  void showMode(const QString& key);
  /// For tests: the next file dialog is skipped and returns `name`.
  void setNextFileName(const QString& name);
  /// Closes a notice if this key does that; false: it has another meaning.
  bool takeCancel(const QKeyEvent& event);
  /// Executes a key of the review, with any focus; false: it has no meaning here.
  bool takeKey(const QKeyEvent& event) override;
  /// The tabs of the modes with the buttons next to them, to be shown elsewhere while a review is
  /// active; returnModes() puts them back.
  [[nodiscard]] QWidget* takeModes();
  /// The modes have their place there: shows them if a review is active.
  void showTakenModes();
  void returnModes();
  [[nodiscard]] bool hasHistory() const override { return true; }
  void undo() override { reviewer_.undo(); }
  void redo() override { reviewer_.redo(); }
  [[nodiscard]] QList<QKeySequence> undoKeys() const override;
  [[nodiscard]] QList<QKeySequence> redoKeys() const override;
  [[nodiscard]] std::vector<ScreenshotStep> screenshots() override;

 Q_SIGNALS:
  /// The images of the run shown are to be chosen.
  void imagesRequested();
  /// A file with labels is to be chosen and opened.
  void labelsRequested();
  /// A network should look at the images that another program has labelled.
  void networkRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeWork();
  [[nodiscard]] ReviewMode& mode() const;
  /// Shows the mode whose tab is chosen, or why it is not possible.
  void showChosenMode();
  /// To the mode that requested the queue.
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

  WindowJobs& jobs_;
  RunComputer& computer_;
  Reviewer reviewer_;
  ProgressEstimate estimate_;  ///< of a computation that the review waits for
  QElapsedTimer since_;
  QueueFeatures features_;
  QStackedWidget* stack_;
  ReviewStart* start_;
  ReviewBar* bar_;
  ReviewNotice* exported_;
  ReviewEndNotice* end_;
  QStackedWidget* modes_;
  ReviewNeedsNetwork* needs_network_;
  ReviewSheet* sheet_ = nullptr;
  bool modes_are_elsewhere_ = false;
};

}  // namespace dubito
