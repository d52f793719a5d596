// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/decisions/logit_table.h"

namespace dubito {

/// Maximum number of classes for vector scaling; with more, its Newton steps would take too long.
inline constexpr std::int64_t kMaxScaledClasses = 128;

/// Vector scaling: softmax(w_k z_k + b_k) with the w and b that minimise the mean negative log
/// likelihood (theory, section 11). The fit is not regularised, and w may be negative. A common
/// shift has no effect, so b is chosen to sum to 0.
struct VectorScaling {
  std::vector<double> weight;  ///< [K]
  std::vector<double> bias;    ///< [K], sums to 0
  /// False if the likelihood has no maximum (every item is predicted correctly after the scaling,
  /// or a class does not occur, so that weights or shifts diverge): w = 1 and b = 0 are kept.
  bool determined = true;
  /// False if the likelihood has no maximum or the iteration stopped early; weight and bias are
  /// then those of the last step, or kept.
  bool converged = false;
  double gradient_max = 0.0;  ///< largest absolute derivative at the solution
  CalibrationScores before;
  CalibrationScores after;
  std::int64_t items = 0;
};

/// Fits w and b on the rows of `table` by damped Newton steps. kInvalidArgument for an empty table
/// or K > kMaxScaledClasses, kCancelled.
[[nodiscard]] Expected<VectorScaling> fitVectorScaling(const LogitTable& table,
                                                       RunContext& context);

/// One sentence about the fit for the notes of a run.
[[nodiscard]] std::string describe(const VectorScaling& fit);

}  // namespace dubito
