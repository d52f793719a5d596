// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// A layer above the data for what belongs to the selected items. It is buffered: while a selection
/// is dragged, PlotBase::replotLayer paints it alone.
inline QString selectedLayer() {
  return QStringLiteral("selected");
}

inline void addSelectedLayer(QCustomPlot& plot) {
  plot.addLayer(selectedLayer(), plot.layer(QStringLiteral("main")));
  plot.layer(selectedLayer())->setMode(QCPLayer::lmBuffered);
}

}  // namespace dubito
