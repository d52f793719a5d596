// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/zoom_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kMaxZoom = 64.0;

}  // namespace

ZoomView::ZoomView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("zoomView"));
  setAccessibleName(tr("image"));
  setCursor(Qt::OpenHandCursor);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
}

void ZoomView::setImage(const QImage& image, const QString& empty_text) {
  image_ = image;
  empty_text_ = empty_text;
  fit();
}

void ZoomView::refine(const QImage& sharper) {
  image_ = sharper;
  update();
}

void ZoomView::fit() {
  zoom_ = 1.0;
  centre_ = {};
  update();
}

QRectF ZoomView::imageRect() const {
  const QSizeF fitted = QSizeF(image_.size()).scaled(QSizeF(size()), Qt::KeepAspectRatio) * zoom_;
  QRectF rect({}, fitted);
  rect.moveCenter(QRectF(this->rect()).center() + centre_);
  return rect;
}

void ZoomView::moveTo(const QPointF& centre) {
  // Keep the image inside the view, without an empty margin on one side only.
  const QSizeF size = imageRect().size();
  const double reach_x = std::max(0.0, (size.width() - width()) / 2.0);
  const double reach_y = std::max(0.0, (size.height() - height()) / 2.0);
  centre_ = {std::clamp(centre.x(), -reach_x, reach_x), std::clamp(centre.y(), -reach_y, reach_y)};
  update();
}

void ZoomView::zoomBy(double factor, const QPointF& fixed) {
  const double before = zoom_;
  zoom_ = std::clamp(zoom_ * factor, 1.0, kMaxZoom);
  const QPointF from_centre = fixed - QRectF(rect()).center() - centre_;
  moveTo(centre_ - from_centre * (zoom_ / before - 1.0));
  if (zoom_ > 1.0) {
    Q_EMIT enlarged();
  }
}

void ZoomView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (image_.isNull()) {
    painter.setPen(currentTheme().muted);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
    return;
  }
  const QRectF target = imageRect();
  painter.setRenderHint(QPainter::SmoothPixmapTransform,
                        image_.width() > target.width() * devicePixelRatioF());
  painter.drawImage(target, image_);
}

void ZoomView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  moveTo(centre_);
}

void ZoomView::wheelEvent(QWheelEvent* event) {
  constexpr double kPerStep = 1.25;
  constexpr double kStep = 120.0;
  zoomBy(std::pow(kPerStep, event->angleDelta().y() / kStep), event->position());
  event->accept();
}

void ZoomView::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->position();
}

void ZoomView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) {
    moveTo(centre_ + event->position() - pressed_);
    pressed_ = event->position();
  }
}

void ZoomView::mouseDoubleClickEvent(QMouseEvent* /*event*/) {
  fit();
}

}  // namespace dubito
