// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <functional>

class QCPPainter;
class QCustomPlot;

namespace dubito {

/// The lines above an exported picture. Empty lines take no space.
struct PlotCaption {
  QString title;
  QString subtitle;
  QString note = {};  ///< below the subtitle, wrapped
};

/// A picture to export. `paint` paints it into the rectangle of `size` at the origin.
struct Picture {
  QSize size;
  int dpi = 96;
  std::function<void(QCPPainter&)> paint;
};

/// Encodes a picture with its caption as "png" (at `scale` times the resolution), or as vector
/// graphics for "svg" and "pdf". Returns an empty array for other suffixes.
[[nodiscard]] QByteArray encodePicture(const Picture& picture, const QString& suffix,
                                       const PlotCaption& caption, int scale = 2);

/// encodePicture() for a plot at its current size.
[[nodiscard]] QByteArray encodePlot(QCustomPlot& plot, const QString& suffix,
                                    const PlotCaption& caption, int scale = 2);

}  // namespace dubito
