// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_factor_eigen.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace dubito {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Columns per block of the factorisation, and per task of the other functions.
constexpr Index kBlock = 128;
constexpr Index kTask = 64;
constexpr double kMinRelativeJitter = 1e-12;

enum class Outcome { kDone, kNotPositive, kCancelled };

/// A := L, block column by block column. `min_pivot` is the smallest acceptable pivot.
Outcome factorise(MatrixXd& a, double min_pivot, const RunContext& context) {
  const Index n = a.rows();
  for (Index k = 0; k < n; k += kBlock) {
    if (context.cancelRequested()) {
      return Outcome::kCancelled;
    }
    const Index size = std::min(kBlock, n - k);
    const Index next = k + size;
    Eigen::Ref<MatrixXd> diagonal = a.block(k, k, size, size);
    const Eigen::LLT<Eigen::Ref<MatrixXd>> decomposition(diagonal);
    if (decomposition.info() != Eigen::Success ||
        !(diagonal.diagonal().array().square().minCoeff() > min_pivot)) {
      return Outcome::kNotPositive;
    }
    context.parallelFor(n - next, kTask, [&](Index begin, Index end) {
      auto rows = a.block(next + begin, k, end - begin, size);
      diagonal.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(rows);
    });
    context.parallelFor(n - next, kTask, [&](Index begin, Index end) {
      const Index first = next + begin;
      const Index width = end - begin;
      a.block(first, first, n - first, width).noalias() -=
          a.block(first, k, n - first, size) * a.block(first, k, width, size).transpose();
    });
  }
  return Outcome::kDone;
}

}  // namespace

Expected<CholeskyFactor> choleskyWithJitter(const MatrixXd& lower_half, double scale,
                                            const RunContext& context) {
  const Index n = lower_half.rows();
  if (n == 0) {
    return CholeskyFactor{lower_half};
  }
  // Pivots below the rounding error of the factorisation have no correct digit.
  const double min_pivot = static_cast<double>(n) * std::numeric_limits<double>::epsilon() *
                           lower_half.diagonal().maxCoeff();
  for (double relative = 0.0; relative <= kMaxRelativeJitter * 1.01;
       relative = std::max(10.0 * relative, kMinRelativeJitter)) {
    CholeskyFactor factor{lower_half, relative * scale};
    factor.lower.diagonal().array() += factor.jitter;
    switch (factorise(factor.lower, min_pivot, context)) {
      case Outcome::kDone:
        return factor;
      case Outcome::kCancelled:
        return cancelled();
      case Outcome::kNotPositive:
        break;
    }
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("the {0} x {0} kernel matrix is not positive definite even with a jitter "
                          "of {1:.1e}; use more noise or a shorter length scale",
                          n, kMaxRelativeJitter * scale));
}

Status solveLowerInPlace(const MatrixXd& lower, MatrixXd& columns, const RunContext& context) {
  context.parallelFor(columns.cols(), kTask, [&](Index begin, Index end) {
    if (!context.cancelRequested()) {
      auto block = columns.middleCols(begin, end - begin);
      lower.triangularView<Eigen::Lower>().solveInPlace(block);
    }
  });
  return context.cancelRequested() ? Status(cancelled()) : Status();
}

MatrixXd inverseFromLower(const MatrixXd& lower, const RunContext& context) {
  const Index n = lower.rows();
  MatrixXd root = MatrixXd::Identity(n, n);
  // Column j of L^-1 is zero above row j.
  context.parallelFor(n, kTask, [&](Index begin, Index end) {
    auto block = root.block(begin, begin, n - begin, end - begin);
    lower.bottomRightCorner(n - begin, n - begin)
        .triangularView<Eigen::Lower>()
        .solveInPlace(block);
  });
  MatrixXd inverse(n, n);
  context.parallelFor(n, kTask, [&](Index begin, Index end) {
    for (Index i = begin; i < n; i += kTask) {
      const Index rows = std::min(kTask, n - i);
      inverse.block(i, begin, rows, end - begin).noalias() =
          root.block(i, i, n - i, rows).transpose() * root.block(i, begin, n - i, end - begin);
    }
  });
  return inverse;
}

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
