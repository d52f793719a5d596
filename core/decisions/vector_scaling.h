// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/decisions/logit_table.h"

namespace dubito {

/// Classes beyond which the Newton steps of vector scaling would take too long.
inline constexpr std::int64_t kMostScaledClasses = 128;

/// softmax(w_k z_k + b_k) with the w and b that minimise the mean negative log likelihood; sum b =
/// 0, because a common shift has no effect. Not regularised and not constrained to be positive
/// (theory, section 11).
struct VectorScaling {
  std::vector<double> weight;  ///< [K]
  std::vector<double> bias;    ///< [K], sums to 0
  /// False if the likelihood has no maximum (separable data: the weights diverge); weight and bias
  /// are then those of the last step.
  bool converged = false;
  double gradient_max = 0.0;  ///< largest remaining derivative
  CalibrationScores before;
  CalibrationScores after;
  std::int64_t items = 0;
};

/// Fits w and b on the rows of `table` by damped Newton steps. kInvalidArgument for an empty table
/// or K > kMostScaledClasses, kCancelled.
[[nodiscard]] Expected<VectorScaling> fitVectorScaling(const LogitTable& table,
                                                       RunContext& context);

/// One sentence about the fit for the notes of a run.
[[nodiscard]] std::string describe(const VectorScaling& fit);

}  // namespace dubito
