// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_posterior.h"

#include <algorithm>
#include <utility>

#include "core/labs/gaussian/gp_factor_eigen.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Functions with the given mean and covariance (lower half); empty if the covariance is
/// indefinite.
Expected<Array<double>> drawFunctions(const VectorXd& mean, const MatrixXd& covariance,
                                      double scale, std::int64_t count, std::uint64_t seed,
                                      const RunContext& context) {
  const auto cholesky = choleskyWithJitter(covariance, scale, context);
  if (!cholesky) {
    return cholesky.error().code == ErrorCode::kCancelled
               ? Expected<Array<double>>(failWith(cholesky))
               : Array<double>();
  }
  auto draws = Array<double>::zeros({count, mean.size()});
  const KeyedRandom random(seed, LabSite::kFunctionDraw);
  VectorXd normals(mean.size());
  for (std::int64_t t = 0; t < count; ++t) {
    random.normals(static_cast<std::uint32_t>(t),
                   {normals.data(), static_cast<std::size_t>(normals.size())});
    Eigen::Map<VectorXd>(draws.mutableRow(t).data(), mean.size()) =
        mean + cholesky->triangle() * normals;
  }
  return draws;
}

/// The lower half of the posterior covariance at inputs `x` [M]; `whitened` is L^-1 k(X, x) [N, M],
/// where L is the factor of the kernel matrix of the points X.
MatrixXd lowerCovariance(const Kernel& kernel, std::span<const double> x, const MatrixXd& whitened,
                         const RunContext& context) {
  MatrixXd covariance = kernelMatrix(kernel, 0.0, x, context);
  // Eigen divides by the number of rows.
  if (whitened.rows() > 0) {
    covariance.selfadjointView<Eigen::Lower>().rankUpdate(whitened.transpose(), -1.0);
  }
  return covariance;
}

}  // namespace

struct GpPosterior::State {
  Kernel kernel;
  std::vector<double> x;
  GpFactor factor;
};

Expected<GpPosterior> GpPosterior::fit(Kernel kernel, double noise_variance,
                                       std::span<const double> x, std::span<const double> y,
                                       const RunContext& context) {
  auto factor = factoriseGp(kernel, noise_variance, x, y, context);
  if (!factor) {
    return failWith(factor);
  }
  return GpPosterior(std::make_shared<const State>(
      State{std::move(kernel), {x.begin(), x.end()}, std::move(*factor)}));
}

Expected<GpPrediction> GpPosterior::predict(std::span<const double> x, std::int64_t draws,
                                            std::uint64_t seed, const RunContext& context) const {
  const Kernel& kernel = state_->kernel;
  MatrixXd cross = crossKernelMatrix(kernel, state_->x, x, context);
  const VectorXd mean = cross.transpose() * state_->factor.weights;
  if (Status solved = solveLowerInPlace(state_->factor.cholesky.lower, cross, context); !solved) {
    return failWith(solved);
  }
  const VectorXd prior = kernelDiagonal(kernel, x);
  // Rounding can make the difference of two nearly equal variances negative.
  const VectorXd variance = (prior - cross.colwise().squaredNorm().transpose()).cwiseMax(0.0);
  GpPrediction result{{mean.begin(), mean.end()}, {variance.begin(), variance.end()}, {}};
  if (draws > 0 && !x.empty() && std::cmp_less_equal(x.size(), kMaxDrawInputs)) {
    auto drawn = drawFunctions(mean, lowerCovariance(kernel, x, cross, context), prior.maxCoeff(),
                               draws, seed, context);
    if (!drawn) {
      return failWith(drawn);
    }
    result.draws = std::move(*drawn);
  }
  return result;
}

Expected<Array<double>> GpPosterior::covariance(std::span<const double> x,
                                                const RunContext& context) const {
  MatrixXd cross = crossKernelMatrix(state_->kernel, state_->x, x, context);
  if (Status solved = solveLowerInPlace(state_->factor.cholesky.lower, cross, context); !solved) {
    return failWith(solved);
  }
  const MatrixXd lower = lowerCovariance(state_->kernel, x, cross, context);
  const Index count = lower.rows();
  auto result = Array<double>::zeros({count, count});
  for (Index i = 0; i < count; ++i) {
    const std::span<double> row = result.mutableRow(i);
    for (Index j = 0; j < count; ++j) {
      row[static_cast<std::size_t>(j)] = lower(std::max(i, j), std::min(i, j));
    }
    // As in predict().
    row[static_cast<std::size_t>(i)] = std::max(row[static_cast<std::size_t>(i)], 0.0);
  }
  return result;
}

double GpPosterior::logEvidence() const {
  return state_->factor.log_evidence;
}

double GpPosterior::jitter() const {
  return state_->factor.cholesky.jitter;
}

}  // namespace dubito
