// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include "core/base/plot_values.h"

namespace dubito {

/// An independent copy for painting; a null image where the array is empty or has neither 1 nor 3
/// channels.
[[nodiscard]] QImage toQImage(const Image8& image);

/// Paints `image` into `target`, whole, centred, in its aspect; enlarged pixels stay sharp squares.
void paintImage(QPainter& painter, const QRect& target, const QImage& image);

/// One image, as large as fits, with a thin frame.
class ImageView : public QWidget {
  Q_OBJECT
 public:
  explicit ImageView(QWidget* parent = nullptr);

  void setImage(const Image8& image) { setImage(toQImage(image)); }
  /// A null image shows `emptyText` instead.
  void setImage(const QImage& image);
  [[nodiscard]] const QImage& image() const { return image_; }
  void setEmptyText(const QString& text);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QImage image_;
  QString empty_text_;
};

}  // namespace dubito
