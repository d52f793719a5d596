// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/logit_gaussians.h"

namespace dubito::test {

/// N Gaussians over K logits: means of the given scale, variances between 0.01 and 1 of `variance`.
[[nodiscard]] LogitGaussians randomDiagonal(std::int64_t items, std::int64_t classes, float scale,
                                            float variance, unsigned seed);

/// One random factor of `columns` columns, a scale for every column or for every item.
[[nodiscard]] LogitGaussians randomFactored(std::int64_t items, std::int64_t classes,
                                            std::int64_t columns, bool scale_a_column, float scale,
                                            unsigned seed);

/// Full covariances of rank `rank`.
[[nodiscard]] LogitGaussians randomFull(std::int64_t items, std::int64_t classes, std::int64_t rank,
                                        float scale, unsigned seed);

}  // namespace dubito::test
