// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/base/array.h"

namespace dubito {

/// Probabilities of three classes that sum to 1.
using Triple = std::array<double, 3>;

/// A contour level of a density: the region where the density exceeds it has the probability
/// `share`.
struct DensityLevel {
  double share = 0.0;        ///< in (0, 1)
  double log_density = 0.0;  ///< ln of the density at the contour
};

/// A density over the probabilities of three classes, as an image of n x n cells. The centre of
/// cell [r, c] is the point p_2 = (r + 1/2)/n, p_1 = (c + 1/2)/n - p_2/2, p_0 = 1 - p_1 - p_2. The
/// triangle with corner 0 at the left, 1 at the right and 2 at the top fills a box of width and
/// height 1.
struct SimplexDensity {
  /// [n, n] ln of the density with respect to dp_0 dp_1 (uniform density: 2); NaN outside the
  /// triangle.
  Array<double> log_density;
  Triple mean{};
  std::optional<Triple> mode;        ///< absent if the density has no finite maximum
  std::vector<DensityLevel> levels;  ///< by ascending share; empty if the density is uniform
};

}  // namespace dubito
