// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"

namespace dubito {

/// Tolerance, relative to the total, if most rows are off by more than 1e-3: bfloat16 and 8-bit
/// numbers have errors of some 1e-3.
inline constexpr double kImpreciseTolerance = 0.01;

/// Larger deviations of a sum from 1 are no rounding, however many classes there are.
inline constexpr double kMaxRounding = 0.5;

/// How far the sums of rows of probabilities may be off because the numbers were rounded before
/// they were stored.
struct RowTolerance {
  double tolerance = 0.0;
  int decimals = 0;     ///< of every number; 0: not rounded to decimals
  int significant = 0;  ///< digits of every number; 0: not rounded to significant digits
  /// Most rows are off by more than 1e-3, as in numbers of few bits.
  bool imprecise = false;

  /// "rounded to 3 decimals" or "imprecise"; empty if no rounding was found.
  [[nodiscard]] std::string describe() const;
};

/// The tolerance for rows [N, K] that sum to `total` when exact: K times half of the last decimal,
/// or half of the last of the significant digits of each number, and at least 1e-3 of the total.
/// Numbers with fewer than two decimals (in units of `total`) say too little about the sum and are
/// not counted as rounded.
[[nodiscard]] RowTolerance rowTolerance(const Array<float>& rows, double total);
[[nodiscard]] RowTolerance rowTolerance(const Array<double>& rows, double total);

}  // namespace dubito
