// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// N and K of Gaussians whose arrays fit together.
struct GaussiansShape {
  std::int64_t items = 0;
  std::int64_t classes = 0;
};

/// Throws std::invalid_argument where the mean is not [N, K] with K >= 2 or the covariance does not
/// fit it.
[[nodiscard]] GaussiansShape checkedShape(const LogitGaussians& gaussians);

/// Rows that are worth a thread of their own and few enough for a quick cancel.
[[nodiscard]] inline std::int64_t rowsAPart(std::int64_t elements_per_row) {
  constexpr std::int64_t kElements = std::int64_t{1} << 16;
  return std::max<std::int64_t>(1, kElements / elements_per_row);
}

/// The same for rows that are multiplied by a factor, which comes from memory once a part.
[[nodiscard]] inline std::int64_t rowsOfFactorAPart(std::int64_t elements_of_factor) {
  constexpr std::int64_t kFewest = 16;
  constexpr std::int64_t kMost = 256;
  return std::clamp(rowsAPart(elements_of_factor) * kFewest, kFewest, kMost);
}

/// The variance of every logit, diag Sigma_i [N, K]. Throws as checkedShape.
[[nodiscard]] Array<float> logitVariance(const LogitGaussians& gaussians,
                                         const RunContext& context);

}  // namespace dubito
