// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// Counts on the triangle of probabilities (p_0, p_1, p_2), p_0 + p_1 + p_2 = 1, with its sides
/// divided into n = `resolution` parts: n^2 equal triangles. With i = floor(n p_0) and j = floor(n
/// p_1), cell (i, j) is a rhombus; the remainder n p_0 - i + n p_1 - j is below 1 in its lower
/// triangle (pointing away from corner 2) and above 1 in the upper one, which exists for i + j <= n
/// - 2. So counts[i][2 j] belongs to the triangle with corners (i, j), (i + 1, j), (i, j + 1), in
/// coordinates n (p_0, p_1), and counts[i][2 j + 1] to (i + 1, j + 1), (i + 1, j), (i, j + 1).
struct SimplexHistogram {
  Array<std::int64_t> counts;  ///< [n, 2 n]; 0 if the triangle does not exist
  std::int64_t samples = 0;    ///< number of draws counted
};

/// The histogram of `samples` draws of softmax(z) restricted to three of its K >= 3 classes and
/// renormalised (conditioned on being one of them). The draws are those of logitNormalSamples.
/// Draws in which the three classes have probability 0 in float32 are not counted in `samples`.
/// Throws std::invalid_argument like logitNormalSamples, for classes that are not three distinct
/// ones, and for a resolution outside [1, 4096].
[[nodiscard]] SimplexHistogram simplexHistogram(const LogitGaussians& gaussians, std::int64_t row,
                                                std::int64_t item_id,
                                                const std::array<std::int64_t, 3>& classes,
                                                std::int64_t resolution, std::int64_t samples,
                                                std::uint64_t seed);

/// Counts given probabilities [M, K] instead, such as the stored draws of a method.
[[nodiscard]] SimplexHistogram simplexHistogram(const Array<float>& probs,
                                                const std::array<std::int64_t, 3>& classes,
                                                std::int64_t resolution);

}  // namespace dubito
