// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/image_view.h"

#include <QPainter>
#include <cstring>

#include "widgets/theme.h"

namespace dubito {

QImage toQImage(const Image8& image) {
  if (image.pixels.rank() != 3 || image.pixels.empty() ||
      (image.channels() != 1 && image.channels() != 3)) {
    return {};
  }
  const auto format = image.channels() == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888;
  QImage copy(static_cast<int>(image.width()), static_cast<int>(image.height()), format);
  if (copy.isNull()) {
    return {};
  }
  const std::int64_t row_bytes = image.width() * image.channels();
  for (std::int64_t y = 0; y < image.height(); ++y) {
    std::memcpy(copy.scanLine(static_cast<int>(y)), image.pixels.data() + y * row_bytes,
                static_cast<std::size_t>(row_bytes));
  }
  return copy;
}

void paintImage(QPainter& painter, const QRect& target, const QImage& image) {
  if (image.isNull() || target.isEmpty()) {
    return;
  }
  QRect fitted(QPoint(0, 0), image.size().scaled(target.size(), Qt::KeepAspectRatio));
  fitted.moveCenter(target.center());
  // Small images show individual pixels, so keep them sharp; smooth large ones.
  const double device_width = fitted.width() * painter.device()->devicePixelRatioF();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, image.width() > device_width);
  painter.drawImage(fitted, image);
}

ImageView::ImageView(QWidget* parent) : QWidget(parent), empty_text_(tr("no image")) {
  setObjectName(QStringLiteral("imageView"));
  setAccessibleName(tr("image"));
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
}

void ImageView::setImage(const QImage& image) {
  image_ = image;
  update();
}

void ImageView::setEmptyText(const QString& text) {
  empty_text_ = text;
  update();
}

QSize ImageView::sizeHint() const {
  return {112, 112};
}

void ImageView::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  painter.setPen(theme.border);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
  if (image_.isNull()) {
    painter.setPen(theme.muted);
    painter.setFont(uiFont(TypeSize::kSmall));
    painter.drawText(rect().adjusted(kGrid, kGrid, -kGrid, -kGrid),
                     Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
    return;
  }
  paintImage(painter, rect().adjusted(1, 1, -1, -1), image_);
}

}  // namespace dubito
