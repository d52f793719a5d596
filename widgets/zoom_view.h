// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace dubito {

/// A zoomable image: the wheel zooms around the cursor, dragging pans, a double-click fits the
/// image to the view. Enlarged pixels stay sharp.
class ZoomView : public QWidget {
  Q_OBJECT
 public:
  explicit ZoomView(QWidget* parent = nullptr);

  /// Fits the image to the view. A null image shows `empty_text` instead.
  void setImage(const QImage& image, const QString& empty_text);
  [[nodiscard]] const QImage& image() const { return image_; }
  /// Magnification relative to the fitted size, >= 1.
  [[nodiscard]] double zoom() const { return zoom_; }
  /// Image rectangle in view coordinates.
  [[nodiscard]] QRectF imageRect() const;
  /// Multiplies the zoom, within its limits; the image point under `fixed` stays in place.
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
  QPointF centre_;   ///< of the image, relative to the centre of the view
  QPointF pressed_;  ///< previous mouse position of the drag
};

}  // namespace dubito
