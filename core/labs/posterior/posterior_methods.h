// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/labs/methods/regression_method.h"

namespace dubito {

/// The posterior of a network by sampling: "hmc", "mh" and "sgld".
[[nodiscard]] RegressionMethodInfo hmcMethod();
[[nodiscard]] RegressionMethodInfo metropolisMethod();
[[nodiscard]] RegressionMethodInfo sgldMethod();
/// The posterior of a network by a Gaussian with independent weights: "bbb" and "graves".
[[nodiscard]] RegressionMethodInfo bayesByBackpropMethod();
[[nodiscard]] RegressionMethodInfo gravesMethod();

}  // namespace dubito
