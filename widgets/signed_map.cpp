// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/signed_map.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/signed_map.h"
#include "widgets/theme.h"

namespace dubito {
SignColors signColors(const Theme& theme) {
  return theme.window.lightness() < 128
             ? SignColors{.positive = QColor(0xFF4B24), .negative = QColor(0x3D7BFF)}
             : SignColors{.positive = QColor(0xD5300A), .negative = QColor(0x0A50D5)};
}

QImage signedMapImage(const Array<float>& map, const Theme& theme, double opacity) {
  if (map.rank() != 2 || map.empty()) {
    return {};
  }
  const float full = fullValueOf(map);
  const SignColors colors = signColors(theme);
  QImage image(static_cast<int>(map.extent(1)), static_cast<int>(map.extent(0)),
               QImage::Format_ARGB32);
  if (image.isNull()) {
    return {};
  }
  for (std::int64_t y = 0; y < map.extent(0); ++y) {
    auto* const line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
    const auto row = map.row(y);
    for (std::size_t x = 0; x < row.size(); ++x) {
      QColor color = row[x] < 0.0F ? colors.negative : colors.positive;
      const double share = full > 0.0F ? std::min(1.0F, std::abs(row[x]) / full) : 0.0;
      color.setAlphaF(static_cast<float>(share * opacity));
      line[x] = color.rgba();
    }
  }
  return image;
}

QImage withSignedMap(const QImage& picture, const QImage& overlay) {
  if (picture.isNull()) {
    return {};
  }
  QImage grey = picture.convertToFormat(QImage::Format_Grayscale8);
  for (int y = 0; y < grey.height(); ++y) {
    uchar* const line = grey.scanLine(y);
    std::transform(line, line + grey.width(), line, greyBelowMap);
  }
  QImage result = grey.convertToFormat(QImage::Format_RGB32);
  QPainter painter(&result);
  painter.drawImage(result.rect(), overlay);
  return result;
}

}  // namespace dubito
