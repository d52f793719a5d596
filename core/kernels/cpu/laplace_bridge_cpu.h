// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// The Laplace bridge of independent logits, row by row. Arrays are row-major; K >= 2.
struct DiagonalBridgeTask {
  const float* mean = nullptr;      ///< [N, K]
  const float* variance = nullptr;  ///< [N, K]
  bool centred = true;              ///< use P Sigma P instead of Sigma
  std::int64_t items = 0;
  std::int64_t classes = 0;
  float* log_alpha = nullptr;  ///< [N, K]
};

/// Largest number of rows processed together.
inline constexpr std::int64_t kBridgeTile = 16;

/// Scratch memory that bridgeDiagonalCpu needs, in floats.
[[nodiscard]] std::int64_t diagonalBridgeScratchSize(std::int64_t classes);

/// Processes rows [begin, end) with the widest vectors that the CPU has; `begin` is a multiple of
/// kBridgeTile. `scratch` is aligned to 64 bytes.
void bridgeDiagonalCpu(const DiagonalBridgeTask& task, std::int64_t begin, std::int64_t end,
                       float* scratch);

}  // namespace dubito
