// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// The bridge of independent logits, row by row. Arrays are row-major; K >= 2.
struct DiagonalBridgeTask {
  const float* mean = nullptr;      ///< [N, K]
  const float* variance = nullptr;  ///< [N, K]
  bool centred = true;              ///< whether P Sigma P is meant, or Sigma as it is
  std::int64_t items = 0;
  std::int64_t classes = 0;
  float* log_alpha = nullptr;  ///< [N, K]
};

/// Rows that are done together at most.
inline constexpr std::int64_t kBridgeTile = 16;

/// Floats of scratch memory that bridgeDiagonalCpu needs.
[[nodiscard]] std::int64_t diagonalBridgeScratchSize(std::int64_t classes);

/// Rows [begin, end), by the widest vectors that the processor has; `begin` is a multiple of
/// kBridgeTile. `scratch` is aligned to 64 bytes.
void bridgeDiagonalCpu(const DiagonalBridgeTask& task, std::int64_t begin, std::int64_t end,
                       float* scratch);

}  // namespace dubito
