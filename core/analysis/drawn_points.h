// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/scatter_data.h"

namespace dubito {

/// Maximum number of individually drawn points.
inline constexpr std::int64_t kMaxScatterPoints = 20000;

/// Decides whether counts per cell are drawn in place of points, and which points: sets
/// `data.is_density` and `data.drawn`.
void chooseDrawnPoints(ScatterData& data, Crowd crowd);

/// The points of `items`; if there are more than `max_points`, a hash-based sample. For a worker
/// thread.
[[nodiscard]] std::vector<std::int32_t> pointsOfItems(const ScatterData& data,
                                                      const ItemRefs& items,
                                                      std::int64_t max_points);

}  // namespace dubito
