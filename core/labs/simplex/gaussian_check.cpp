// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/gaussian_check.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dubito {
namespace {

constexpr double kRounding = 1e-9;
/// Of the largest absolute eigenvalue: the jitter exceeds what is needed by this much.
constexpr double kMargin = 1e-3;

Status checkNumbers(const LogitGaussian& gaussian) {
  const std::size_t classes = gaussian.mean.size();
  if (classes < 2 || classes > static_cast<std::size_t>(kMaxLogits)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the Gaussian has {} logits; give a mean of 2 to {} numbers", classes,
                            kMaxLogits));
  }
  if (gaussian.covariance.size() != classes * classes) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the covariance has {} numbers for {} logits; give {} rows of {} "
                            "numbers each",
                            gaussian.covariance.size(), classes, classes, classes));
  }
  const auto is_usable = [](double x) { return std::abs(x) <= kMaxLogitMoment; };
  for (std::size_t k = 0; k < classes; ++k) {
    if (!is_usable(gaussian.mean[k])) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the mean of logit {} is {}; give a number between -{} and {}", k + 1,
                              gaussian.mean[k], kMaxLogitMoment, kMaxLogitMoment));
    }
    for (std::size_t l = 0; l < classes; ++l) {
      const double value = gaussian.covariance[k * classes + l];
      if (!is_usable(value)) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("row {}, column {} of the covariance is {}; give a number between "
                                "-{} and {}",
                                k + 1, l + 1, value, kMaxLogitMoment, kMaxLogitMoment));
      }
    }
  }
  return {};
}

Status checkSymmetry(const LogitGaussian& gaussian) {
  const std::size_t classes = gaussian.mean.size();
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      const double lower = gaussian.covariance[k * classes + l];
      const double upper = gaussian.covariance[l * classes + k];
      if (std::abs(lower - upper) > kRounding * std::max(std::abs(lower), std::abs(upper))) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("the covariance is not symmetric: row {}, column {} is {}, but row "
                                "{}, column {} is {}; make the two equal",
                                l + 1, k + 1, upper, k + 1, l + 1, lower));
      }
    }
  }
  return {};
}

}  // namespace

Expected<CheckedGaussian> checkGaussian(const LogitGaussian& gaussian) {
  if (const Status numbers = checkNumbers(gaussian); !numbers) {
    return failWith(numbers);
  }
  if (const Status symmetry = checkSymmetry(gaussian); !symmetry) {
    return failWith(symmetry);
  }
  CheckedGaussian checked{gaussian};
  const std::size_t classes = gaussian.mean.size();
  std::vector<double>& covariance = checked.gaussian.covariance;
  bool is_diagonal = true;
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      covariance[k * classes + l] = covariance[l * classes + k];
      is_diagonal = is_diagonal && covariance[k * classes + l] == 0.0;
    }
  }
  double largest = 0.0;
  if (is_diagonal) {
    checked.smallest_eigenvalue = covariance[0];
    largest = covariance[0];
    for (std::size_t k = 1; k < classes; ++k) {
      const double variance = covariance[k * classes + k];
      checked.smallest_eigenvalue = std::min(checked.smallest_eigenvalue, variance);
      largest = std::max(largest, variance);
    }
  } else {
    const auto size = static_cast<Eigen::Index>(classes);
    const Eigen::Map<const Eigen::MatrixXd> matrix(covariance.data(), size, size);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
    checked.smallest_eigenvalue = solver.eigenvalues()(0);
    largest = solver.eigenvalues()(size - 1);
  }
  if (checked.smallest_eigenvalue >= -kRounding * std::max(largest, 0.0)) {
    return checked;
  }
  if (!(largest > 0.0)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the covariance has no positive eigenvalue (the largest is {:.3g}); "
                            "give positive variances",
                            largest));
  }
  checked.jitter =
      -checked.smallest_eigenvalue + kMargin * std::max(largest, -checked.smallest_eigenvalue);
  for (std::size_t k = 0; k < classes; ++k) {
    covariance[k * classes + k] += checked.jitter;
  }
  checked.warnings.push_back(
      fmt::format("The covariance is not positive definite: its smallest eigenvalue is {:.3g}, so "
                  "{:.3g} was added to every variance.",
                  checked.smallest_eigenvalue, checked.jitter));
  return checked;
}

}  // namespace dubito
