// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/labs/classification/class_method.h"

namespace dubito {

// The rows of classMethods(), in the order of lists.

/// One network at the maximum of its posterior, an ensemble of them, and MC dropout.
[[nodiscard]] std::vector<ClassMethodInfo> trainedClassMethods();
/// Laplace approximations of the last layer with a diagonal, Kronecker-factored and full
/// covariance, and of all layers with a full one.
[[nodiscard]] std::vector<ClassMethodInfo> laplaceClassMethods();
/// A Gaussian with independent weights, and chains over the weights.
[[nodiscard]] std::vector<ClassMethodInfo> sampledClassMethods();
/// A Gaussian process per class with the Laplace approximation.
[[nodiscard]] std::vector<ClassMethodInfo> gpClassMethods();

/// All methods of the classification laboratory, in the order of lists.
[[nodiscard]] const std::vector<ClassMethodInfo>& classMethods();
/// nullptr if there is no such method.
[[nodiscard]] const ClassMethodInfo* findClassMethod(std::string_view key);

}  // namespace dubito
