// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include "core/base/plot_values.h"

namespace dubito {

/// Converts `image` to a QImage (a deep copy). Returns a null image if the array is empty or does
/// not have 1 or 3 channels.
[[nodiscard]] QImage toQImage(const Image8& image);

/// Paints `image` centred in `target`, as large as possible with its aspect ratio. Enlarged pixels
/// stay sharp.
void paintImage(QPainter& painter, const QRect& target, const QImage& image);

/// Shows one image, scaled to fit, with a thin frame.
class ImageView : public QWidget {
  Q_OBJECT
 public:
  explicit ImageView(QWidget* parent = nullptr);

  void setImage(const Image8& image) { setImage(toQImage(image)); }
  /// Sets the image. If it is null, the empty text is shown.
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
