// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QVector>
#include <QWidget>
#include <optional>

#include "core/labels/label_store.h"

class QLabel;
class QProgressBar;

namespace dubito {

class ImageGallery;
class Reviewer;

/// A decision in words: the name of its class, or "none of these".
[[nodiscard]] QString decisionText(const std::vector<LabelClass>& classes, LabelAction action,
                                   std::optional<std::int64_t> class_id);

/// How far the review is, and the last decisions, which can be clicked and changed.
class ReviewProgress : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewProgress(Reviewer& reviewer, QWidget* parent = nullptr);

  void showItem();
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
  ImageGallery* history_;
};

}  // namespace dubito
