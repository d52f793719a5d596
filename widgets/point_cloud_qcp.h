// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <vector>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// Points drawn as small marks, fast enough for tens of thousands of points. Not taken into
/// account when axis ranges are fitted to the data.
class PointCloud : public QCPAbstractPlottable {
 public:
  enum class Shape { kDisc, kCross, kDiamond, kRing };

  explicit PointCloud(QCustomPlot* plot);

  void setPoints(std::vector<QPointF> points) { points_ = std::move(points); }
  [[nodiscard]] const std::vector<QPointF>& points() const { return points_; }
  /// `diameter` is in device-independent pixels.
  void setMark(Shape shape, const QColor& color, double diameter);
  [[nodiscard]] Shape shape() const { return shape_; }
  [[nodiscard]] QColor color() const { return color_; }

  double selectTest(const QPointF& position, bool only_selectable,
                    QVariant* details = nullptr) const override;
  QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
  QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                         const QCPRange& key_range = QCPRange()) const override;

 protected:
  void draw(QCPPainter* painter) override;
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

 private:
  void drawMark(QPainter& painter, const QPointF& centre) const;

  std::vector<QPointF> points_;
  Shape shape_ = Shape::kDisc;
  QColor color_;
  double diameter_ = 4.0;
};

}  // namespace dubito
