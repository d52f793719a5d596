// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace dubito {

/// A view of a zoomable image. The wheel zooms around the cursor, dragging moves the image, and a
/// double-click fits it to the view. Enlarged pixels stay sharp.
class ZoomView : public QWidget {
  Q_OBJECT
 public:
  explicit ZoomView(QWidget* parent = nullptr);

  /// Sets the image and fits it to the view. If `image` is null, shows `empty_text`.
  void setImage(const QImage& image, const QString& empty_text);
  /// As it is shown.
  [[nodiscard]] const QImage& image() const { return image_; }
  /// Replaces the image by the same one with more pixels; what is in view stays in view.
  void refine(const QImage& sharper);
  /// Magnification relative to the fitted size, >= 1.
  [[nodiscard]] double zoom() const { return zoom_; }
  /// Rectangle of the image in view coordinates.
  [[nodiscard]] QRectF imageRect() const;
  /// Multiplies the zoom by `factor`, within limits. The image point at the view position `fixed`
  /// stays in place.
  void zoomBy(double factor, const QPointF& fixed);
  /// Resets the zoom, so that the whole image is visible.
  void fit();

  // How the image is shown; the image itself stays as it is.
  /// Turns it by quarters, clockwise.
  void turn(int quarters);
  /// Shows it upright again.
  void resetTurns();
  /// `brightness` and `contrast` in [-1, 1], 0: as stored.
  void setLight(double brightness, double contrast);

 Q_SIGNALS:
  /// The user has enlarged the image beyond its fitted size.
  void enlarged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void moveTo(const QPointF& centre);
  /// The stored image, turned and brightened.
  [[nodiscard]] QImage adjusted() const;

  QImage stored_;
  QImage image_;  ///< adjusted()
  int quarters_ = 0;
  double brightness_ = 0.0;
  double contrast_ = 0.0;
  QString empty_text_;
  double zoom_ = 1.0;
  QPointF centre_;   ///< centre of the image relative to that of the view
  QPointF pressed_;  ///< previous mouse position while dragging
};

}  // namespace dubito
