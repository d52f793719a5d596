// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/labs/methods/regression_method.h"
#include "widgets/density_path_plot.h"

namespace dubito {

/// The posterior of two weights as an image over three standard deviations of their prior, the
/// prior, and the weights of the functions drawn.
[[nodiscard]] DensityPathValue weightPlaneValue(const WeightPlane& plane);

}  // namespace dubito
