// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "app/session/plane_data.h"
#include "widgets/scatter_plot.h"

namespace dubito {

/// The points of a run in the plane of its inputs; over `field`, which may be null, in the colours
/// of a measure, or of the predicted classes if that is empty.
[[nodiscard]] ScatterPlotValue planePlotValue(const ScatterDataPtr& points,
                                              const PlaneFieldPtr& field,
                                              std::optional<Measure> measure);

/// What is drawn: "1 000 items · colours: predicted class of MC dropout T=50, grid of 100 x 100".
[[nodiscard]] QString planeCaption(const ScatterData& points, const PlaneFieldPtr& field,
                                   std::optional<Measure> measure);

}  // namespace dubito
