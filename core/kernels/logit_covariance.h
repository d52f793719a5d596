// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// Dimensions of LogitGaussians.
struct GaussiansShape {
  std::int64_t items = 0;    ///< N
  std::int64_t classes = 0;  ///< K
};

/// The dimensions of `gaussians`. Throws std::invalid_argument if the mean is not [N, K] with K >=
/// 2 or the covariance does not match it.
[[nodiscard]] GaussiansShape checkedShape(const LogitGaussians& gaussians);

/// Rows per parallel task: enough to be worth a thread, but few enough that cancelling is quick.
[[nodiscard]] inline std::int64_t rowsPerTask(std::int64_t elements_per_row) {
  constexpr std::int64_t kElements = std::int64_t{1} << 16;
  return std::max<std::int64_t>(1, kElements / elements_per_row);
}

/// As above, for rows that are multiplied by a factor with this many elements. A task has at least
/// 16 rows, because it reads the whole factor from memory.
[[nodiscard]] inline std::int64_t factorRowsPerTask(std::int64_t elements_of_factor) {
  constexpr std::int64_t kMinRows = 16;
  constexpr std::int64_t kMaxRows = 256;
  return std::clamp(rowsPerTask(elements_of_factor) * kMinRows, kMinRows, kMaxRows);
}

/// The variance of every logit, diag Sigma_i [N, K]. Throws like checkedShape.
[[nodiscard]] Array<float> logitVariance(const LogitGaussians& gaussians,
                                         const RunContext& context);

}  // namespace dubito
