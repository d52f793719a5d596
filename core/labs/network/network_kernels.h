// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

// The loops of a network over a tile of items. A matrix [units, items] of a tile has rows of
// kTileItems numbers, aligned to 64 bytes, of which the first `items` are used.

/// Items per tile: few enough for the activations of a layer to stay in the L2 cache.
inline constexpr std::int64_t kTileItems = 64;
/// Partial sums of a sum over items. `items` of a task is a multiple of it.
inline constexpr std::int64_t kItemLanes = 8;

/// What happens to the sums of a product.
enum class ProductFinish {
  kNone,
  kTanh,
  kRelu,
  kTanhSlope,  ///< multiplied by the slope 1 - a^2 of tanh, a = `activated`
  kReluSlope,  ///< multiplied by the slope of ReLU, which is 0 if `activated` is 0
};

/// result[r][n] = finish(start[r] + sum_c matrix(r, c) operand[c][n]), added in the order of c.
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
  ProductFinish finish = ProductFinish::kNone;
  const double* activated = nullptr;  ///< [rows, items], values of the activation for slopes
};

/// sums[r][c][l] += sum over items n of the tile with n mod 8 = l of left[r][n] right[c][n];
/// row_sums[r][l] += the same sum of left[r][n].
struct OuterSumTask {
  const double* left = nullptr;   ///< [rows, items]
  const double* right = nullptr;  ///< [columns, items]
  std::int64_t rows = 0;
  std::int64_t columns = 0;  ///< >= 1
  std::int64_t items = 0;
  double* sums = nullptr;      ///< [rows, columns, kItemLanes], aligned to 64 bytes
  double* row_sums = nullptr;  ///< [rows, kItemLanes], aligned to 64 bytes
};

/// One implementation of the loops. All of them give the same bits.
struct NetworkKernels {
  void (*product)(const ProductTask& task) = nullptr;
  void (*outer_sum)(const OuterSumTask& task) = nullptr;
};

/// Without SIMD instructions.
[[nodiscard]] const NetworkKernels& plainNetworkKernels();
/// The fastest for this processor.
[[nodiscard]] const NetworkKernels& networkKernels();

}  // namespace dubito
