// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/analysis/scatter_data.h"

namespace dubito {

/// The items of a run whose inputs have two dimensions, as points in the plane; other items are
/// omitted. Null if there are no such items or their dataset is not open. Call it on a worker
/// thread.
[[nodiscard]] ScatterDataPtr planePoints(const AnalysisPtr& analysis);

/// Predictions on a grid over the plane, made with the model and method of a run.
struct PlaneField {
  AnalysisPtr analysis;  ///< the analysis whose model and method were used
  Interval x;            ///< edges of the grid
  Interval y;
  int columns = 0;
  int rows = 0;
  AnalysisPart cells;  ///< one item per cell, row by row, lowest y first
};
using PlaneFieldPtr = std::shared_ptr<const PlaneField>;

struct PlaneFieldRequest {
  AnalysisPtr analysis;  ///< its model and method must be available
  PredictOptions predict;
  Interval x;
  Interval y;
  int side = 100;  ///< number of columns and of rows
};

/// Why no field can be computed and what to do, as a message for the user; empty if model and
/// method are available.
[[nodiscard]] std::string whyNoPlaneField(const Analysis& analysis);

/// Predicts every cell, with the seed of the analysis. Errors: those of predict(). Blocking; call
/// it on a worker thread.
[[nodiscard]] Expected<PlaneFieldPtr> computePlaneField(const PlaneFieldRequest& request,
                                                        RunContext& context);

}  // namespace dubito
