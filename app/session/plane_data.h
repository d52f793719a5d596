// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/analysis/scatter_data.h"

namespace dubito {

/// The items of a run with two-dimensional inputs as points in the plane. Null if there are none,
/// or if their dataset is not open. Items with other inputs are skipped. For a worker thread.
[[nodiscard]] ScatterDataPtr planePoints(const AnalysisPtr& analysis);

/// Predictions of a run's method on a grid over the plane.
struct PlaneField {
  AnalysisPtr analysis;  ///< with the model and method used
  Interval x;            ///< edges of the grid
  Interval y;
  int columns = 0;
  int rows = 0;
  AnalysisPart cells;  ///< one item per cell, row by row from the lowest y
};
using PlaneFieldPtr = std::shared_ptr<const PlaneField>;

struct PlaneFieldRequest {
  AnalysisPtr analysis;  ///< with model and method
  PredictOptions predict;
  Interval x;
  Interval y;
  int side = 100;  ///< columns, and rows, of the grid
};

/// Why no field can be computed and what to do, as a sentence for users; empty if model and method
/// are available.
[[nodiscard]] std::string whyNoPlaneField(const Analysis& analysis);

/// Predicts every cell with the seed of the analysis. Blocking; for a worker thread. Errors of
/// predict().
[[nodiscard]] Expected<PlaneFieldPtr> computePlaneField(const PlaneFieldRequest& request,
                                                        RunContext& context);

}  // namespace dubito
