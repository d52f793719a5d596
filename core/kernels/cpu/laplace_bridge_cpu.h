// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// Inputs and outputs of the Laplace bridge for Gaussians with a diagonal covariance. Arrays are
/// row-major; K >= 2.
struct DiagonalBridgeTask {
  const float* mean = nullptr;      ///< [N, K]
  const float* variance = nullptr;  ///< [N, K]
  bool centred = true;              ///< use P Sigma P instead of Sigma
  std::int64_t items = 0;           ///< N
  std::int64_t classes = 0;         ///< K
  float* log_alpha = nullptr;       ///< [N, K]
};

/// Number of rows in a tile; the rows of a tile are processed together.
inline constexpr std::int64_t kBridgeTile = 16;

/// Scratch memory that bridgeDiagonalCpu needs, as a number of floats.
[[nodiscard]] std::int64_t diagonalBridgeScratchSize(std::int64_t classes);

/// Processes rows [begin, end) with the widest SIMD vectors that the CPU supports. `begin` must be
/// a multiple of kBridgeTile, and `scratch` must be aligned to 64 bytes.
void bridgeDiagonalCpu(const DiagonalBridgeTask& task, std::int64_t begin, std::int64_t end,
                       float* scratch);

}  // namespace dubito
