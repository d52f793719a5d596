// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/signed_map.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kQuantile = 0.99;
// Grey levels to which black and white of a picture become.
constexpr int kDarkest = 56;
constexpr int kLightest = 216;

/// The absolute value with full opacity; 0 if all are 0.
float fullValue(const Array<float>& map) {
  std::vector<float> sizes(map.values().size());
  std::ranges::transform(map.values(), sizes.begin(), [](float value) { return std::abs(value); });
  const auto at = sizes.begin() +
                  static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(sizes.size() - 1));
  std::ranges::nth_element(sizes, at);
  // A map with a few numbers other than 0 has a quantile of 0.
  return *at > 0.0F ? *at : std::ranges::max(sizes);
}

}  // namespace

SignColors signColors(const Theme& theme) {
  return theme.window.lightness() < 128
             ? SignColors{.positive = QColor(0xFF4B24), .negative = QColor(0x3D7BFF)}
             : SignColors{.positive = QColor(0xD5300A), .negative = QColor(0x0A50D5)};
}

QImage signedMapImage(const Array<float>& map, const Theme& theme, double opacity) {
  if (map.rank() != 2 || map.empty()) {
    return {};
  }
  const float full = fullValue(map);
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
    std::transform(line, line + grey.width(), line, [](uchar level) {
      constexpr int kWhite = 255;
      return static_cast<uchar>(kDarkest + level * (kLightest - kDarkest) / kWhite);
    });
  }
  QImage result = grey.convertToFormat(QImage::Format_RGB32);
  QPainter painter(&result);
  painter.drawImage(result.rect(), overlay);
  return result;
}

}  // namespace dubito
