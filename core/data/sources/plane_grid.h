// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/plot_values.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Whether the items are points in the plane, judging by the first one: a vector of two numbers.
/// Reads that item; not for the GUI thread.
[[nodiscard]] bool isPlanar(const Dataset& dataset);

/// Coordinates of all items [N, 2]; NaN for items that are unreadable or not such vectors.
[[nodiscard]] Array<double> planePositions(const Dataset& dataset);

/// The centres of columns x rows equal cells of the rectangle `x` x `y`, as a dataset of vectors
/// [2], row by row from the lowest y. Throws std::invalid_argument for an empty rectangle or grid.
[[nodiscard]] DatasetPtr makePlaneGrid(Interval x, Interval y, int columns, int rows);

}  // namespace dubito
