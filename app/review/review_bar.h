// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QTabBar;

namespace dubito {

class QueueFeatures;
class Reviewer;
class ReviewExport;
class ReviewFilter;
class ReviewMode;
class ReviewQueueList;

/// The bar of the Review page: its modes, and below them which items are reviewed and in which
/// order.
class ReviewBar : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive the widget.
  ReviewBar(Reviewer& reviewer, const QueueFeatures& features, QWidget* parent = nullptr);

  /// Modes are numbered in the order in which they are added.
  void addMode(const QString& key, const QString& name, const QString& tip);
  void showMode(const QString& key);
  [[nodiscard]] QString mode() const;
  /// The line with the tabs of the modes, to be shown elsewhere; give it back with returnModes().
  [[nodiscard]] QWidget* modesLine() { return modes_line_; }
  void returnModes();
  /// Position of its tab.
  [[nodiscard]] int modeIndex() const { return modes_->currentIndex(); }
  /// "Many at once"; empty for an unknown key.
  [[nodiscard]] QString nameOf(const QString& key) const;

  /// The mode that requested the queue; empty: the person has chosen it.
  void setOrigin(const QString& key);
  [[nodiscard]] const QString& origin() const { return origin_; }

  /// Everything, for the mode that is shown.
  void showState(const ReviewMode& mode);
  void showQueue();
  void showHidden();
  [[nodiscard]] ReviewExport& exporter() { return *export_; }

 Q_SIGNALS:
  void modeChosen(int mode);
  void keysRequested();
  /// Back to the mode that requested the queue.
  void backRequested();
  /// The keyboard belongs to the page again.
  void finished();

 private:
  [[nodiscard]] QWidget* makeModes();
  [[nodiscard]] QWidget* makeChoices(const QueueFeatures& features);
  void showKeys();
  void showOtherRuns();
  /// Restricts the review to the items selected on the other pages now, or to all.
  void chooseRows(bool only_selected);
  void offerSelection();

  Reviewer& reviewer_;
  QString origin_;
  QWidget* modes_line_;
  QTabBar* modes_;
  QPushButton* back_;
  QPushButton* keys_;
  ReviewExport* export_;
  QWidget* choices_;  ///< of the queue
  ReviewQueueList* queue_;
  ReviewFilter* filter_;
  QComboBox* other_run_;
  QCheckBox* only_selected_;
  QComboBox* hidden_;
  QCheckBox* advance_;
  QLabel* why_;
};

}  // namespace dubito
