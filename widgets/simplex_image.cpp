// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/simplex_image.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <span>

#include "widgets/density_color.h"

namespace dubito {
namespace {

// Twice the usual size on screen.
constexpr QSize kImageSize(520, 450);

/// Pixel position of `p` in an image of the given size.
QPointF pixelOf(const Triple& p, const QSize& size) {
  return {(p[1] + 0.5 * p[2]) * size.width(), (1.0 - p[2]) * size.height()};
}

/// Fills the triangle of an image with `paint`, antialiased.
template <class Paint>
QImage triangleImage(const Paint& paint) {
  QImage filled(kImageSize, QImage::Format_RGB32);
  QPainter inner(&filled);
  paint(inner);
  inner.end();
  QImage image(kImageSize, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QBrush(filled));
  painter.drawPolygon(
      QPolygonF({pixelOf({1.0, 0.0, 0.0}, kImageSize), pixelOf({0.0, 1.0, 0.0}, kImageSize),
                 pixelOf({0.0, 0.0, 1.0}, kImageSize)}));
  return image;
}

}  // namespace

QImage densityImage(const Array<double>& density, double highest, double depth) {
  const auto n = static_cast<int>(density.extent(0));
  QImage cells(n, n, QImage::Format_RGB32);
  std::array<QRgb, 256> colors{};
  for (std::size_t i = 0; i < colors.size(); ++i) {
    colors[i] = densityColor(static_cast<double>(i) / 255.0).rgb();
  }
  for (int r = 0; r < n; ++r) {
    auto* const line = reinterpret_cast<QRgb*>(cells.scanLine(n - 1 - r));
    const std::span<const double> row = density.row(r);
    int first = -1;
    int last = -1;
    for (int c = 0; c < n; ++c) {
      const double value = row[static_cast<std::size_t>(c)];
      if (!std::isnan(value)) {
        const double share = std::clamp(1.0 + (value - highest) / depth, 0.0, 1.0);
        line[c] = colors[static_cast<std::size_t>(std::lround(255.0 * share))];
        first = first < 0 ? c : first;
        last = c;
      }
    }
    if (first < 0) {
      // The tip contains no cell centre.
      std::copy_n(reinterpret_cast<const QRgb*>(cells.constScanLine(n - r)), n, line);
      continue;
    }
    // Extend the edge colours outside the triangle for smooth edges.
    std::fill(line, line + first, line[first]);
    std::fill(line + last + 1, line + n, line[last]);
  }
  return triangleImage([&](QPainter& painter) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(QRect(QPoint(0, 0), kImageSize), cells);
  });
}

QImage countsImage(const Array<std::int64_t>& counts) {
  const std::int64_t max_count =
      std::max<std::int64_t>(1, *std::ranges::max_element(counts.values()));
  return triangleImage([&](QPainter& painter) {
    forEachTriangle(counts, [&](std::int64_t i, std::int64_t j, bool inverted, std::int64_t count) {
      QPolygonF polygon;
      for (const Triple& corner : cornersOf(i, j, inverted, counts.extent(0))) {
        polygon << pixelOf(corner, kImageSize);
      }
      const QColor color =
          densityColor(static_cast<double>(count) / static_cast<double>(max_count));
      painter.setPen(color);
      painter.setBrush(color);
      painter.drawPolygon(polygon);
    });
  });
}

QImage plainTriangle(const QColor& color) {
  return triangleImage(
      [&](QPainter& painter) { painter.fillRect(QRect(QPoint(0, 0), kImageSize), color); });
}

}  // namespace dubito
