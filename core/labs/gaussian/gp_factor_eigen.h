// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <span>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/gaussian/kernel.h"

namespace dubito {

/// L with L L^T = A + jitter I.
struct CholeskyFactor {
  Eigen::MatrixXd lower;  ///< L in the lower triangle; the strict upper triangle is undefined
  double jitter = 0.0;

  [[nodiscard]] auto triangle() const { return lower.triangularView<Eigen::Lower>(); }
};

/// Largest jitter, as a multiple of the scale of the matrix.
inline constexpr double kMaxRelativeJitter = 1e-6;

/// Factorises A, given by its lower triangle. If A is not positive definite to working precision,
/// the smallest sufficient jitter of scale * {1e-12, 1e-11, ..., kMaxRelativeJitter} is added to
/// the diagonal; `scale` is the size of the elements, > 0.
///
/// kInvalidArgument if that does not help or A is not finite: the message has the form "... ; use
/// more noise ...". kCancelled if cancelled.
[[nodiscard]] Expected<CholeskyFactor> choleskyWithJitter(const Eigen::MatrixXd& lower_half,
                                                          double scale, const RunContext& context);

/// Replaces `columns` by L^-1 columns, in parallel. kCancelled if cancelled.
[[nodiscard]] Status solveLowerInPlace(const Eigen::MatrixXd& lower, Eigen::MatrixXd& columns,
                                       const RunContext& context);

/// The lower half of (L L^T)^-1; the strict upper triangle is undefined.
[[nodiscard]] Eigen::MatrixXd inverseFromLower(const Eigen::MatrixXd& lower,
                                               const RunContext& context);

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
