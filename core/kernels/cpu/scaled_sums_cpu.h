// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// A matrix product in float32 whose elements do not depend on the number of rows: sums[i][k] =
/// sum_r scale[i][r] parts[r][k], all >= 0, summed in panels that keep the relative error at a few
/// 1e-7.
struct ScaledSumsTask {
  const float* scale = nullptr;  ///< [rows, R]
  std::int64_t terms = 0;        ///< R
  const float* parts = nullptr;  ///< [R, stride], 0 after the last class
  std::int64_t stride = 0;       ///< K rounded up to a multiple of kScaledSumsBlock
};

/// Classes summed together.
inline constexpr std::int64_t kScaledSumsBlock = 64;

/// Writes rows [begin, end) of the product to sums [end - begin, stride]; all arrays but `scale`
/// are aligned to 64 bytes.
void scaledSumsCpu(const ScaledSumsTask& task, std::int64_t begin, std::int64_t end, float* sums);

}  // namespace dubito
