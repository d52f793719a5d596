// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// A matrix product in float32: sums[i][k] = sum_r scale[i][r] parts[r][k]. All terms must be >= 0.
/// They are summed in panels, which keeps the relative error at a few 1e-7. A row of the result
/// does not depend on the number of rows.
struct ScaledSumsTask {
  const float* scale = nullptr;  ///< [rows, R]
  std::int64_t terms = 0;        ///< R
  const float* parts = nullptr;  ///< [R, stride], filled up with zeros beyond class K - 1
  std::int64_t stride = 0;       ///< K rounded up to a multiple of kScaledSumsBlock
};

/// Number of classes that are summed together.
inline constexpr std::int64_t kScaledSumsBlock = 64;

/// Writes rows [begin, end) of the product to sums [end - begin, stride]. All arrays except `scale`
/// must be aligned to 64 bytes.
void scaledSumsCpu(const ScaledSumsTask& task, std::int64_t begin, std::int64_t end, float* sums);

}  // namespace dubito
