// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include "core/base/plot_values.h"

namespace dubito {

/// A deep copy for painting; a null image if the array is empty or has neither 1 nor 3 channels.
[[nodiscard]] QImage toQImage(const Image8& image);

/// Paints the whole `image` centred in `target`, keeping its aspect ratio; enlarged pixels stay
/// sharp.
void paintImage(QPainter& painter, const QRect& target, const QImage& image);

/// One image, scaled to fit, with a thin frame.
class ImageView : public QWidget {
  Q_OBJECT
 public:
  explicit ImageView(QWidget* parent = nullptr);

  void setImage(const Image8& image) { setImage(toQImage(image)); }
  /// A null image shows the empty text.
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
