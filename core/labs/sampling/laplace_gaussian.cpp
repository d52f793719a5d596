// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sampler_targets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace dubito {
namespace {

constexpr int kMaxNewtonSteps = 500;
constexpr double kGradientAtMode = 1e-9;
constexpr double kDifference = 1e-5;

/// Minus the second derivatives [D, D], symmetrised.
std::vector<double> curvatureAt(const LogDensity& density, const std::vector<double>& q) {
  const std::size_t size = q.size();
  std::vector<double> up(size);
  std::vector<double> down(size);
  std::vector<double> curvature(size * size);
  std::vector<double> shifted = q;
  for (std::size_t d = 0; d < size; ++d) {
    const double step = kDifference * std::max(1.0, std::abs(q[d]));
    shifted[d] = q[d] + step;
    density.evaluate(shifted, up);
    shifted[d] = q[d] - step;
    density.evaluate(shifted, down);
    shifted[d] = q[d];
    for (std::size_t e = 0; e < size; ++e) {
      const double value = -(up[e] - down[e]) / (2.0 * step);
      curvature[d * size + e] += 0.5 * value;
      curvature[e * size + d] += 0.5 * value;
    }
  }
  return curvature;
}

/// Lower Cholesky factor [D, D] of a matrix plus `ridge` on its diagonal; nullopt if that is not
/// positive definite.
std::optional<std::vector<double>> choleskyOf(const std::vector<double>& matrix, std::size_t size,
                                              double ridge) {
  std::vector<double> lower(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i * size + j] + (i == j ? ridge : 0.0);
      for (std::size_t k = 0; k < j; ++k) {
        sum -= lower[i * size + k] * lower[j * size + k];
      }
      if (i == j && !(sum > 0.0)) {
        return std::nullopt;
      }
      lower[i * size + j] = i == j ? std::sqrt(sum) : sum / lower[j * size + j];
    }
  }
  return lower;
}

/// Solves L L^T x = `right`, in place.
void solveWith(const std::vector<double>& lower, std::span<double> right) {
  const std::size_t size = right.size();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      right[i] -= lower[i * size + k] * right[k];
    }
    right[i] /= lower[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) {
      right[i] -= lower[k * size + i] * right[k];
    }
    right[i] /= lower[i * size + i];
  }
}

tl::unexpected<Error> noMode() {
  return fail(ErrorCode::kInvalidArgument,
              "Laplace's approximation found no mode of the density; start closer to one");
}

}  // namespace

Expected<DenseGaussian> laplaceGaussian(const LogDensity& density, std::span<const double> start) {
  const std::size_t size = start.size();
  std::vector<double> q(start.begin(), start.end());
  std::vector<double> gradient(size);
  double value = density.evaluate(q, gradient);
  double ridge = 0.0;
  for (int i = 0; i < kMaxNewtonSteps && std::isfinite(value); ++i) {
    const std::vector<double> curvature = curvatureAt(density, q);
    const double slope = std::abs(*std::ranges::max_element(
        gradient, {}, [](double component) { return std::abs(component); }));
    const auto exact = choleskyOf(curvature, size, 0.0);
    if (slope < kGradientAtMode && exact) {
      DenseGaussian result{q, std::vector<double>(size * size)};
      for (std::size_t d = 0; d < size; ++d) {
        result.covariance[d * size + d] = 1.0;
        solveWith(*exact, std::span(result.covariance).subspan(d * size, size));
      }
      return result;
    }
    // Levenberg's ridge: grows until the step goes uphill, shrinks while it does.
    const auto lower = choleskyOf(curvature, size, ridge);
    if (lower) {
      std::vector<double> step = gradient;
      solveWith(*lower, step);
      std::vector<double> next = q;
      for (std::size_t d = 0; d < size; ++d) {
        next[d] += step[d];
      }
      std::vector<double> next_gradient(size);
      const double next_value = density.evaluate(next, next_gradient);
      // Near the mode, ln p is flat to rounding while its gradient is still meaningful.
      if (next_value >= value - 1e-12 * (1.0 + std::abs(value))) {
        q = std::move(next);
        gradient = std::move(next_gradient);
        value = next_value;
        ridge = ridge < 1e-10 ? 0.0 : 0.1 * ridge;
        continue;
      }
    }
    ridge = std::max(1e-6, 10.0 * ridge);
  }
  return noMode();
}

}  // namespace dubito
