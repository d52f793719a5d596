// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QWidget>

#include "app/panels/thumbnail_loader.h"
#include "app/review/reviewer.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace dubito {

class Card;
class ReviewClasses;
class ReviewProgress;
class Workbench;
class ZoomView;

/// One large image at a time, with the classes to choose from and the keys that choose them. The
/// most doubtful images come first; every decision is on the disk before the next image appears.
class ReviewPage : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive the page; `settings` as in Reviewer.
  ReviewPage(Workbench& workbench, const QSettings& settings, QWidget* parent = nullptr);
  ~ReviewPage() override;

  [[nodiscard]] Reviewer& reviewer() { return reviewer_; }
  /// True while an image is loading, labels are written or a queue is built.
  [[nodiscard]] bool busy() const;
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
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeBar();
  [[nodiscard]] QWidget* makeImage();
  void fillQueues();
  /// Everything except the item.
  void showState();
  void showItem();
  /// Requests the picture of the item shown, and those of the next ones.
  void loadPictures();
  void takePicture(qint64 key, const QImage& image);
  /// Restricts the review to the items selected on the other pages now, or to all.
  void chooseRows(bool only_selected);
  void offerSelection();
  void exportLabels(const LabelFormat& format);

  QString next_file_name_;
  Reviewer reviewer_;
  Session& session_;
  ThumbnailLoader loader_;
  QHash<qint64, QImage> pictures_;  ///< of the items around the one shown
  Card* image_card_;
  Card* class_card_;
  QStackedWidget* stack_;
  QLabel* welcome_;
  QPushButton* start_;
  QComboBox* queue_;
  QLabel* why_;
  QCheckBox* only_selected_;
  QCheckBox* blind_;
  QCheckBox* advance_;
  QPushButton* export_;
  ZoomView* image_;
  QLabel* suggestion_;
  QPushButton* accept_;
  ReviewClasses* classes_;
  ReviewProgress* progress_;
};

}  // namespace dubito
