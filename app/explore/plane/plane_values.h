// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "app/explore/plane/plane_data.h"
#include "widgets/scatter_plot.h"

namespace dubito {

/// The points of a run in its input plane. The cells of `field` (may be null) are drawn below,
/// coloured by `measure`, or by predicted class if `measure` is nullopt.
[[nodiscard]] ScatterPlotValue planePlotValue(const ScatterDataPtr& points,
                                              const PlaneFieldPtr& field,
                                              std::optional<Measure> measure);

/// Caption: "1 000 items · colours: predicted class of MC dropout, 50 draws, 100 × 100 grid".
[[nodiscard]] QString planeCaption(const ScatterData& points, const PlaneFieldPtr& field,
                                   std::optional<Measure> measure);

}  // namespace dubito
