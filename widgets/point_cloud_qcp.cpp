// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/point_cloud_qcp.h"

#include <QPixmap>
#include <cmath>

namespace dubito {

PointCloud::PointCloud(QCustomPlot* plot) : QCPAbstractPlottable(plot->xAxis, plot->yAxis) {
  setSelectable(QCP::stNone);
}

void PointCloud::setMark(Shape shape, const QColor& color, double diameter) {
  shape_ = shape;
  color_ = color;
  diameter_ = diameter;
}

double PointCloud::selectTest(const QPointF& /*position*/, bool /*only_selectable*/,
                              QVariant* /*details*/) const {
  return -1.0;
}

QCPRange PointCloud::getKeyRange(bool& found, QCP::SignDomain /*domain*/) const {
  found = false;
  return {};
}

QCPRange PointCloud::getValueRange(bool& found, QCP::SignDomain /*domain*/,
                                   const QCPRange& /*key_range*/) const {
  found = false;
  return {};
}

void PointCloud::drawMark(QPainter& painter, const QPointF& centre) const {
  const double radius = diameter_ / 2.0;
  switch (shape_) {
    case Shape::kDisc:
      painter.setPen(Qt::NoPen);
      painter.setBrush(color_);
      painter.drawEllipse(centre, radius, radius);
      break;
    case Shape::kDiamond: {
      painter.setPen(Qt::NoPen);
      painter.setBrush(color_);
      const double reach = 1.25 * radius;
      painter.drawPolygon(QPolygonF{{centre + QPointF(0, -reach), centre + QPointF(reach, 0),
                                     centre + QPointF(0, reach), centre + QPointF(-reach, 0)}});
      break;
    }
    case Shape::kCross:
      painter.setPen(QPen(color_, 1.5));
      painter.drawLine(centre + QPointF(-radius, -radius), centre + QPointF(radius, radius));
      painter.drawLine(centre + QPointF(-radius, radius), centre + QPointF(radius, -radius));
      break;
    case Shape::kRing:
      painter.setPen(QPen(color_, 1.75));
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(centre, radius, radius);
      break;
  }
}

void PointCloud::draw(QCPPainter* painter) {
  const QRectF area = QRectF(mKeyAxis->axisRect()->rect()).adjusted(-1, -1, 1, 1);
  // Drawing a pixmap of the mark is many times faster than drawing the mark; vector output needs
  // the mark itself.
  const bool as_picture = !painter->modes().testFlag(QCPPainter::pmVectorized);
  const double ratio = painter->device()->devicePixelRatioF();
  const int side = static_cast<int>(std::ceil(diameter_ * 1.25)) + 4;
  QPixmap picture;
  if (as_picture) {
    picture = QPixmap(QSize(side, side) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter mark(&picture);
    mark.setRenderHint(QPainter::Antialiasing);
    drawMark(mark, QPointF(side / 2.0, side / 2.0));
  } else {
    painter->setAntialiasing(true);
  }
  for (const QPointF& point : points_) {
    const QPointF pixel = coordsToPixels(point.x(), point.y());
    // Vector output is not clipped.
    if (!area.contains(pixel)) {
      continue;
    }
    if (as_picture) {
      painter->drawPixmap(pixel - QPointF(side / 2.0, side / 2.0), picture);
    } else {
      drawMark(*painter, pixel);
    }
  }
}

void PointCloud::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
  drawMark(*painter, rect.center());
}

}  // namespace dubito
