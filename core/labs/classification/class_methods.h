// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/labs/classification/class_method.h"

namespace dubito {

/// One network at the maximum of its posterior.
[[nodiscard]] ClassMethodInfo mapClassMethod();
/// Several networks from different starting points.
[[nodiscard]] ClassMethodInfo ensembleClassMethod();
/// One network with random masks on its hidden units.
[[nodiscard]] ClassMethodInfo dropoutClassMethod();
/// Laplace approximations of the last layer with a diagonal, Kronecker-factored and full
/// covariance, and of all layers with a full one.
[[nodiscard]] ClassMethodInfo laplaceDiagClassMethod();
[[nodiscard]] ClassMethodInfo laplaceKronClassMethod();
[[nodiscard]] ClassMethodInfo laplaceFullClassMethod();
[[nodiscard]] ClassMethodInfo laplaceAllClassMethod();
/// Chains over the weights of the network.
[[nodiscard]] ClassMethodInfo hmcClassMethod();
/// A Gaussian with independent weights.
[[nodiscard]] ClassMethodInfo bayesByBackpropClassMethod();
/// A Gaussian process per class with the Laplace approximation.
[[nodiscard]] ClassMethodInfo gpClassMethod();

/// All methods of the classification laboratory, in the order of lists.
[[nodiscard]] const std::vector<ClassMethodInfo>& classMethods();
/// nullptr if there is no such method.
[[nodiscard]] const ClassMethodInfo* findClassMethod(std::string_view key);

}  // namespace dubito
