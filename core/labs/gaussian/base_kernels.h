// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace dubito {

/// A kernel without an amplitude, as users name it. Conventions and the order of the parameters are
/// those of scikit-learn.
struct BaseKernel {
  const char* key = nullptr;      ///< "se", in the text of a kernel
  const char* meaning = nullptr;  ///< "squared exponential"
  /// Names of the parameters, in snake_case; all parameters are > 0.
  std::vector<const char*> parameters;
  /// k(x, z). If `gradient` is not null, it receives the derivatives with respect to the logarithm
  /// of each parameter.
  double (*value)(const double* parameters, double x, double z, double* gradient) = nullptr;
};

/// All base kernels, in the order of lists.
[[nodiscard]] std::span<const BaseKernel> baseKernels();

/// nullptr if there is no such kernel.
[[nodiscard]] const BaseKernel* findBaseKernel(std::string_view key);

}  // namespace dubito
