// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace dubito {

/// One image that can be enlarged: the wheel zooms around the mouse, dragging moves, a double click
/// fits the image into the view again. Enlarged pixels stay sharp squares.
class ZoomView : public QWidget {
  Q_OBJECT
 public:
  explicit ZoomView(QWidget* parent = nullptr);

  /// Fits the image into the view. A null image shows `empty_text` instead.
  void setImage(const QImage& image, const QString& empty_text);
  [[nodiscard]] const QImage& image() const { return image_; }
  /// How much larger than fitted the image is drawn, >= 1.
  [[nodiscard]] double zoom() const { return zoom_; }
  /// Where the image is drawn, in the coordinates of the view.
  [[nodiscard]] QRectF imageRect() const;
  /// Multiplies the zoom, within its limits; what is below `fixed` stays there.
  void zoomBy(double factor, const QPointF& fixed);
  void fit();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void moveTo(const QPointF& centre);

  QImage image_;
  QString empty_text_;
  double zoom_ = 1.0;
  QPointF centre_;   ///< of the image, relative to that of the view
  QPointF pressed_;  ///< where the last drag stands
};

}  // namespace dubito
