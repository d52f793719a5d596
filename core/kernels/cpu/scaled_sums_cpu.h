// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// A product of matrices in float32 whose elements do not depend on how many rows are multiplied:
/// sums[i][k] = sum_r scale[i][r] parts[r][k], all >= 0, in pieces that keep the error at a few
/// 1e-7 relative.
struct ScaledSumsTask {
  const float* scale = nullptr;  ///< [rows, R]
  std::int64_t terms = 0;        ///< R
  const float* parts = nullptr;  ///< [R, stride], 0 behind the classes
  std::int64_t stride = 0;       ///< K rounded up to a multiple of kScaledSumsBlock
};

/// Classes that are summed together.
inline constexpr std::int64_t kScaledSumsBlock = 64;

/// Rows [begin, end) of the task to sums [end - begin, stride]; all but the scale is aligned to 64
/// bytes.
void scaledSumsCpu(const ScaledSumsTask& task, std::int64_t begin, std::int64_t end, float* sums);

}  // namespace dubito
