// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QSettings;
class QSlider;

namespace dubito {

class ClassPages;

/// Above a page of images: which class the network suggests, and how large the images are.
class ReviewGridHead : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive the widget; `settings` remembers the size.
  ReviewGridHead(ClassPages& pages, QSettings& settings, QWidget* parent = nullptr);

  /// The classes and how many of their images are left.
  void showCounts();
  /// Empty: none.
  void setHint(const QString& text);
  /// Side of an image in pixels.
  [[nodiscard]] int tileSize() const;

 Q_SIGNALS:
  void tileSizeChanged(int side);
  /// The keyboard belongs to the page again.
  void finished();

 private:
  ClassPages& pages_;
  QComboBox* classes_;
  QLabel* hint_;
  QSlider* size_;
};

}  // namespace dubito
