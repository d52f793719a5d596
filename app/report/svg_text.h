// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QPointF>
#include <QString>
#include <optional>
#include <vector>

namespace dubito {

/// A text of an SVG.
struct SvgText {
  QString words;
  QPointF place;
  Qt::AlignmentFlag alignment = Qt::AlignLeft;  ///< of the place: left, centre or right end
  double size = 0.0;                            ///< of the font
  bool is_bold = false;
  QColor color;
  double degrees = 0.0;  ///< clockwise around the place
};

/// A chart of core (chartSvg) in two parts.
struct SvgParts {
  QByteArray drawing;
  std::vector<SvgText> texts;
};

/// Separates the texts, because QSvgRenderer draws text as outlines: a PDF becomes large and cannot
/// be searched. nullopt if the chart is not XML.
[[nodiscard]] std::optional<SvgParts> splitSvg(const QByteArray& svg);

}  // namespace dubito
