// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/labs/data/regression_data.h"

namespace dubito {

/// Estimates the standard deviation of the noise from the distance of each point to the line
/// through its neighbours, after sorting by x (Gasser, Sroka, Jennen-Steinmetz 1986). Unbiased for
/// the variance where the function is linear between neighbours; too large where it bends. At least
/// 1e-3 of the standard deviation of y (or 1e-3 if that is 0), because a method needs some noise;
/// with fewer than three points, a tenth of it.
[[nodiscard]] double estimateNoiseStd(const RegressionPoints& points);

}  // namespace dubito
