// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/color_scale.h"

#include <QLinearGradient>
#include <QPainter>

#include "widgets/density_color.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kStripWidth = 30 * kGrid;
constexpr int kStripHeight = 3 * kGrid;

}  // namespace

ColorScale::ColorScale(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("colorScale"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ColorScale::setEnds(const QString& low, const QString& high) {
  low_ = low;
  high_ = high;
  setAccessibleName(tr("Colours from %1 to %2").arg(low, high));
  updateGeometry();
  update();
}

QSize ColorScale::sizeHint() const {
  const QFontMetrics metrics(font());
  return {
      metrics.horizontalAdvance(low_) + metrics.horizontalAdvance(high_) + kStripWidth + 4 * kGrid,
      std::max(metrics.height(), kStripHeight)};
}

void ColorScale::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const int before = QFontMetrics(font()).horizontalAdvance(low_) + 2 * kGrid;
  const QRect strip(before, (height() - kStripHeight) / 2, kStripWidth, kStripHeight);
  QLinearGradient gradient(strip.topLeft(), strip.topRight());
  constexpr int kStops = 11;
  for (int i = 0; i < kStops; ++i) {
    gradient.setColorAt(i / (kStops - 1.0), densityColor(i / (kStops - 1.0)));
  }
  painter.fillRect(strip, gradient);
  painter.setPen(currentTheme().muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, low_);
  painter.drawText(rect().adjusted(strip.right() + 1 + 2 * kGrid, 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, high_);
}

}  // namespace dubito
