// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/analysis/scatter_data.h"

namespace dubito {

/// The points of a run whose inputs are two numbers each, in the plane of these numbers. Null if
/// the inputs are something else, or are not open. Parts of other inputs are left out. For a worker
/// thread.
[[nodiscard]] ScatterDataPtr planePoints(const AnalysisPtr& analysis);

/// What the method of a run says everywhere in the plane.
struct PlaneField {
  AnalysisPtr analysis;  ///< whose model and method were asked
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

/// What the analysis lacks for a field, and what to do, in a sentence for people; empty if it has
/// model and method.
[[nodiscard]] std::string whyNoPlaneField(const Analysis& analysis);

/// Predicts every cell with the seed of the analysis. Blocking; for a worker thread. Errors of
/// predict().
[[nodiscard]] Expected<PlaneFieldPtr> computePlaneField(const PlaneFieldRequest& request,
                                                        RunContext& context);

}  // namespace dubito
