// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <span>

#include "core/labs/gaussian/cholesky_eigen.h"
#include "core/labs/gaussian/kernel.h"

namespace dubito {

/// K + noise_variance I = L L^T, and what follows from it.
struct GpFactor {
  CholeskyFactor cholesky;
  Eigen::VectorXd weights;  ///< (K + noise I)^-1 y
  double log_evidence = 0.0;
};

/// The lower half of k(x, x) + noise_variance I.
[[nodiscard]] Eigen::MatrixXd kernelMatrix(const Kernel& kernel, double noise_variance,
                                           std::span<const double> x, const RunContext& context);

/// k(x, z) as [size of x, size of z].
[[nodiscard]] Eigen::MatrixXd crossKernelMatrix(const Kernel& kernel, std::span<const double> x,
                                                std::span<const double> z,
                                                const RunContext& context);

/// k(x_i, x_i) for every i.
[[nodiscard]] Eigen::VectorXd kernelDiagonal(const Kernel& kernel, std::span<const double> x);

/// Factorises the kernel matrix of points (x, y). Errors of choleskyWithJitter().
[[nodiscard]] Expected<GpFactor> factoriseGp(const Kernel& kernel, double noise_variance,
                                             std::span<const double> x, std::span<const double> y,
                                             const RunContext& context);

}  // namespace dubito
