// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QVector>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace dubito {

class ImageGallery;
class Reviewer;

/// How far the review is, and the last decisions, which can be clicked and changed.
class ReviewProgress : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewProgress(Reviewer& reviewer, QWidget* parent = nullptr);

  void showItem();
  /// Writes the keys on the buttons.
  void showKeys();
  /// The last decisions give way where there is little room.
  void setHistoryShown(bool shown);
  void setPicture(qint64 key, const QImage& image);

 Q_SIGNALS:
  /// Keys as in keyOf.
  void picturesNeeded(const QVector<qint64>& keys);
  /// The keyboard belongs to the image again.
  void finished();

 private:
  void showProgress();
  void showHistory();

  Reviewer& reviewer_;
  QProgressBar* bar_;
  QLabel* text_;
  QPushButton* undo_;
  QPushButton* redo_;
  ImageGallery* history_;
};

}  // namespace dubito
