// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/zoom_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QTransform>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kMaxZoom = 64.0;
constexpr int kQuarter = 90;
constexpr double kMiddle = 127.5;
constexpr int kWhite = 255;
/// Of the line from stored to shown values, its steepest slope as 1/x.
constexpr double kFlattest = 0.05;

}  // namespace

ZoomView::ZoomView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("zoomView"));
  setAccessibleName(tr("image"));
  setCursor(Qt::OpenHandCursor);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
}

void ZoomView::setImage(const QImage& image, const QString& empty_text) {
  stored_ = image;
  image_ = adjusted();
  empty_text_ = empty_text;
  fit();
}

void ZoomView::refine(const QImage& sharper) {
  stored_ = sharper;
  image_ = adjusted();
  update();
}

QImage ZoomView::adjusted() const {
  QImage image = stored_;
  if (image.isNull()) {
    return image;
  }
  if (quarters_ != 0) {
    image = image.transformed(QTransform().rotate(kQuarter * quarters_));
  }
  if (brightness_ == 0.0 && contrast_ == 0.0) {
    return image;
  }
  // Contrast turns the line through the middle grey, brightness shifts it.
  const double slope =
      contrast_ < 0.0 ? 1.0 + contrast_ : 1.0 / std::max(1.0 - contrast_, kFlattest);
  std::array<uchar, 256> shown{};
  for (std::size_t value = 0; value < shown.size(); ++value) {
    const double line = kMiddle + slope * (static_cast<double>(value) - kMiddle) +
                        brightness_ * static_cast<double>(kWhite);
    shown[value] = static_cast<uchar>(std::clamp(std::lround(line), 0L, static_cast<long>(kWhite)));
  }
  image = image.convertToFormat(QImage::Format_RGB888);
  for (int y = 0; y < image.height(); ++y) {
    uchar* const row = image.scanLine(y);
    std::transform(row, row + 3 * static_cast<std::ptrdiff_t>(image.width()), row,
                   [&shown](uchar value) { return shown[value]; });
  }
  return image;
}

void ZoomView::turn(int quarters) {
  constexpr int kFull = 4;
  quarters_ = ((quarters_ + quarters) % kFull + kFull) % kFull;
  image_ = adjusted();
  fit();
}

void ZoomView::resetTurns() {
  if (std::exchange(quarters_, 0) != 0) {
    image_ = adjusted();
    fit();
  }
}

void ZoomView::setLight(double brightness, double contrast) {
  brightness_ = brightness;
  contrast_ = contrast;
  image_ = adjusted();
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
