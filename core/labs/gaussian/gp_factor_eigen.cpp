// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_factor_eigen.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace dubito {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kColumnsPerTask = 32;

}  // namespace

MatrixXd kernelMatrix(const Kernel& kernel, double noise_variance, std::span<const double> x,
                      const RunContext& context) {
  const auto n = static_cast<Index>(x.size());
  MatrixXd matrix(n, n);
  context.parallelFor(n, kColumnsPerTask, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      for (Index i = j; i < n; ++i) {
        matrix(i, j) = kernel.value(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(j)]);
      }
      matrix(j, j) += noise_variance;
    }
  });
  return matrix;
}

MatrixXd crossKernelMatrix(const Kernel& kernel, std::span<const double> x,
                           std::span<const double> z, const RunContext& context) {
  MatrixXd matrix(static_cast<Index>(x.size()), static_cast<Index>(z.size()));
  context.parallelFor(matrix.cols(), kColumnsPerTask, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      for (Index i = 0; i < matrix.rows(); ++i) {
        matrix(i, j) = kernel.value(x[static_cast<std::size_t>(i)], z[static_cast<std::size_t>(j)]);
      }
    }
  });
  return matrix;
}

VectorXd kernelDiagonal(const Kernel& kernel, std::span<const double> x) {
  VectorXd diagonal(static_cast<Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    diagonal[static_cast<Index>(i)] = kernel.value(x[i], x[i]);
  }
  return diagonal;
}

Expected<GpFactor> factoriseGp(const Kernel& kernel, double noise_variance,
                               std::span<const double> x, std::span<const double> y,
                               const RunContext& context) {
  if (x.size() != y.size() || !(noise_variance >= 0.0)) {
    throw std::invalid_argument("factoriseGp: x and y must match, and the noise must be >= 0");
  }
  const MatrixXd matrix = kernelMatrix(kernel, noise_variance, x, context);
  auto cholesky = choleskyWithJitter(matrix, x.empty() ? 1.0 : matrix.diagonal().mean(), context);
  if (!cholesky) {
    return failWith(cholesky);
  }
  GpFactor result{std::move(*cholesky), {}, 0.0};
  result.weights = Eigen::Map<const VectorXd>(y.data(), static_cast<Index>(y.size()));
  result.cholesky.triangle().solveInPlace(result.weights);
  result.log_evidence = -0.5 * result.weights.squaredNorm() -
                        result.cholesky.lower.diagonal().array().log().sum() -
                        0.5 * static_cast<double>(x.size()) * std::log(2.0 * std::numbers::pi);
  result.cholesky.lower.transpose().triangularView<Eigen::Upper>().solveInPlace(result.weights);
  return result;
}

}  // namespace dubito
