// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <functional>

#include "widgets/figure_format.h"

class QCPPainter;
class QCustomPlot;

namespace dubito {

/// The lines above an exported picture, wrapped. Empty lines take no space.
struct PlotCaption {
  QString title;
  QString subtitle;
  QString note = {};  ///< below the subtitle
};

/// The caption as the format of a request wants it. The note always stays: it says which labels the
/// numbers belong to.
[[nodiscard]] PlotCaption captionFor(const PictureRequest& request, const QString& title,
                                     const QString& subtitle, const QString& note);

/// A picture to export. `paint` paints it into the rectangle of `size` at the origin.
struct PlotPicture {
  QSize size;
  int dpi = 96;
  std::function<void(QCPPainter&)> paint;
};

/// Size of a picture that fills a page of the size that `request` asks for, together with its
/// caption and margins. The page is scaled, so that small text has the requested font size.
[[nodiscard]] QSize pictureRoom(const PictureRequest& request, const PlotCaption& caption, int dpi);

/// Encodes a picture with its caption as "png", or as vector graphics for "svg" and "pdf", in the
/// colours of the current theme. Returns an empty array for other suffixes. With a size, the
/// picture must be as large as pictureRoom(), and a png has 300 dpi.
[[nodiscard]] QByteArray encodePicture(const PlotPicture& picture, const PictureRequest& request,
                                       const PlotCaption& caption);

/// encodePicture() for a plot, centred in `room`.
[[nodiscard]] QByteArray encodePlot(QCustomPlot& plot, const QSize& room,
                                    const PictureRequest& request, const PlotCaption& caption);

}  // namespace dubito
