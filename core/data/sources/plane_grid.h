// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/plot_values.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Whether the items are points in the plane, that is, vectors of two numbers, judging by the first
/// item. Reads that item; do not call this on the GUI thread.
[[nodiscard]] bool isPlanar(const Dataset& dataset);

/// Coordinates of all items [N, 2]; NaN for items that cannot be read or are not points in the
/// plane.
[[nodiscard]] Array<double> planePositions(const Dataset& dataset);

/// The centres of columns x rows equal cells of the rectangle `x` x `y`, as a dataset of vectors
/// [2]. Rows are ordered from the lowest y. Throws std::invalid_argument for an empty rectangle or
/// grid.
[[nodiscard]] DatasetPtr makePlaneGrid(Interval x, Interval y, int columns, int rows);

}  // namespace dubito
