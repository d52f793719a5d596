// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/marked_slider.h"

#include <QPainter>
#include <QStyleOptionSlider>

#include "widgets/theme.h"

namespace dubito {

MarkedSlider::MarkedSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
}

void MarkedSlider::setMark(std::optional<int> step) {
  mark_ = step;
  update();
}

void MarkedSlider::paintEvent(QPaintEvent* event) {
  if (mark_) {
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect groove =
        style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderGroove, this);
    const int handle = style()->pixelMetric(QStyle::PM_SliderLength, &option, this);
    const double x = groove.left() + handle / 2.0 +
                     QStyle::sliderPositionFromValue(minimum(), maximum(), *mark_,
                                                     groove.width() - handle, option.upsideDown);
    constexpr double kHalfWidth = 4.0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(currentTheme().accent);
    const double bottom = height();
    painter.drawPolygon(QPolygonF{{QPointF(x - kHalfWidth, bottom), QPointF(x + kHalfWidth, bottom),
                                   QPointF(x, bottom - 6.0)}});
  }
  QSlider::paintEvent(event);
}

}  // namespace dubito
