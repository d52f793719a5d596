// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/labs/methods/regression_method.h"

namespace dubito {

/// One network by maximum likelihood; no epistemic variance.
[[nodiscard]] RegressionMethodInfo mleNetworkMethod();
/// Deep ensemble: several networks from different starting points.
[[nodiscard]] RegressionMethodInfo deepEnsembleMethod();
/// MC dropout with a given drop rate.
[[nodiscard]] RegressionMethodInfo mcDropoutMethod();
/// Concrete dropout: the drop rates are trained.
[[nodiscard]] RegressionMethodInfo concreteDropoutMethod();
/// A network with two outputs, mean and log variance of the noise.
[[nodiscard]] RegressionMethodInfo heteroscedasticMethod();
/// Linearised Laplace approximation of the last layer or of all layers.
[[nodiscard]] RegressionMethodInfo networkLaplaceMethod();
/// SWAG: a Gaussian fitted to the iterates of SGD.
[[nodiscard]] RegressionMethodInfo swagMethod();

}  // namespace dubito
