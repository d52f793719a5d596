// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/plot_values.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Whether the items are points of the plane: the first one is a vector of two numbers. Reads it;
/// not for the GUI thread.
[[nodiscard]] bool isPlanar(const Dataset& dataset);

/// [N, 2] the coordinates of every item, NaN for items that cannot be read or are no such vectors.
[[nodiscard]] Array<double> planePositions(const Dataset& dataset);

/// The centres of columns x rows equal cells of the rectangle `x` x `y` as a dataset of vectors
/// [2], row by row from the lowest y. Throws std::invalid_argument for an empty rectangle or grid.
[[nodiscard]] DatasetPtr makePlaneGrid(Interval x, Interval y, int columns, int rows);

}  // namespace dubito
