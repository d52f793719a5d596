// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

class QCustomPlot;

namespace dubito {

/// The lines above an exported picture; empty ones take no room.
struct PlotCaption {
  QString title;
  QString subtitle;
};

/// The plot at its present size as "png" (twice the resolution), "svg" or "pdf" (vectors) with its
/// caption; empty for another suffix.
[[nodiscard]] QByteArray encodePlot(QCustomPlot& plot, const QString& suffix,
                                    const PlotCaption& caption);

}  // namespace dubito
