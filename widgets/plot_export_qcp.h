// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <functional>

class QCPPainter;
class QCustomPlot;

namespace dubito {

/// The lines above an exported picture; empty ones take no space.
struct PlotCaption {
  QString title;
  QString subtitle;
};

/// Something that paints itself into a rectangle at the origin.
struct Picture {
  QSize size;
  int dpi = 96;
  std::function<void(QCPPainter&)> paint;
};

/// Encodes a picture with its caption as "png" (at `scale` times its resolution), "svg" or "pdf"
/// (vector); empty for other suffixes.
[[nodiscard]] QByteArray encodePicture(const Picture& picture, const QString& suffix,
                                       const PlotCaption& caption, int scale = 2);

/// The plot at its current size.
[[nodiscard]] QByteArray encodePlot(QCustomPlot& plot, const QString& suffix,
                                    const PlotCaption& caption, int scale = 2);

}  // namespace dubito
