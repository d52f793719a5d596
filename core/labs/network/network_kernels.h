// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/labs/network/network_shape.h"

namespace dubito {

// The loops of a network over a tile of items. A matrix [units, items] of a tile has rows of
// kTileItems numbers, aligned to 64 bytes, of which the first `items` are used.

/// Items per tile: few enough for the activations of a layer to stay in the L2 cache.
inline constexpr std::int64_t kTileItems = 64;
/// Partial sums of a sum over items. `items` of a task is a multiple of it.
inline constexpr std::int64_t kItemLanes = 8;

/// result[r][n] = start[r] + sum_c matrix(r, c) operand[c][n], added in the order of c.
struct ProductTask {
  const double* matrix = nullptr;  ///< (r, c) is at r row_step + c column_step
  std::int64_t row_step = 0;
  std::int64_t column_step = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const double* start = nullptr;    ///< [rows]; null: zeros
  const double* operand = nullptr;  ///< [columns, items]
  double* result = nullptr;         ///< [rows, items]
  std::int64_t items = 0;
};

/// sums[r][c][l] += sum over items n of the tile with n mod 8 = l of left[r][n] right[c][n].
struct OuterSumTask {
  const double* left = nullptr;  ///< [rows, items]
  std::int64_t rows = 0;
  const double* right = nullptr;  ///< [columns, items]; null: a single row of ones
  std::int64_t columns = 0;
  std::int64_t items = 0;
  double* sums = nullptr;  ///< [rows, columns, kItemLanes], aligned to 64 bytes
};

/// A matrix of a tile, to be changed.
struct TileValues {
  double* values = nullptr;  ///< [rows, items]
  std::int64_t rows = 0;
  std::int64_t items = 0;
};

/// One implementation of the loops. All of them give the same bits.
struct NetworkKernels {
  void (*product)(const ProductTask& task) = nullptr;
  void (*outer_sum)(const OuterSumTask& task) = nullptr;
  /// Applies the activation.
  void (*activate)(Activation activation, const TileValues& units) = nullptr;
  /// Multiplies `deltas` by the slope of the activation, given its values `activated` [rows,
  /// items].
  void (*multiply_by_slope)(Activation activation, const double* activated,
                            const TileValues& deltas) = nullptr;
};

/// Without SIMD instructions.
[[nodiscard]] const NetworkKernels& plainNetworkKernels();
/// The fastest for this processor.
[[nodiscard]] const NetworkKernels& networkKernels();

}  // namespace dubito
