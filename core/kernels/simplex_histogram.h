// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// Counts of points in the triangle of probabilities (p_0, p_1, p_2), p_0 + p_1 + p_2 = 1. Each
/// side is divided into n = `resolution` parts, which gives n^2 equal small triangles. Cell (i, j),
/// i = floor(n p_0) and j = floor(n p_1), is a rhombus of two of them. In its lower triangle, which
/// points away from corner 2, (n p_0 - i) + (n p_1 - j) is below 1. In its upper triangle, which
/// exists only if i + j <= n - 2, that sum is above 1. In coordinates n (p_0, p_1), counts[i][2 j]
/// belongs to the triangle with corners (i, j), (i + 1, j), (i, j + 1), and counts[i][2 j + 1] to
/// the one with corners (i + 1, j + 1), (i + 1, j), (i, j + 1).
struct SimplexHistogram {
  Array<std::int64_t> counts;  ///< [n, 2 n]; 0 if the triangle does not exist
  std::int64_t samples = 0;    ///< number of draws counted
};

/// Index of the triangle that contains the point (p_0, p_1), in counts in row-major order, of a
/// histogram with this resolution. Points on the far edges belong to the last triangle.
[[nodiscard]] std::int64_t simplexTriangle(double p_0, double p_1, std::int64_t resolution);

/// The histogram of `samples` draws of softmax(z) restricted to three of its K >= 3 classes and
/// renormalised (that is, conditioned on the class being one of the three). The draws are those of
/// logitNormalSamples. Draws in which the three classes have probability 0 in float32 are not
/// counted in `samples`. Throws std::invalid_argument like logitNormalSamples, for `classes` that
/// are not distinct or not in [0, K), and for a resolution outside [1, 4096].
[[nodiscard]] SimplexHistogram simplexHistogram(const LogitGaussians& gaussians, std::int64_t row,
                                                std::int64_t item_id,
                                                const std::array<std::int64_t, 3>& classes,
                                                std::int64_t resolution, std::int64_t samples,
                                                std::uint64_t seed);

/// As above, for given probabilities [M, K], such as the stored draws of a method.
[[nodiscard]] SimplexHistogram simplexHistogram(const Array<float>& probs,
                                                const std::array<std::int64_t, 3>& classes,
                                                std::int64_t resolution);

}  // namespace dubito
