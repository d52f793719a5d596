// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/linear_regression.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/base/all_finite.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

using Eigen::Index;
using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajorMatrix> matrixOf(const Array<double>& array) {
  return {array.data(), array.extent(0), array.extent(1)};
}

}  // namespace

/// Phi = U S V^T, with V square; S has zeros for weights that no data reach.
struct LinearRegression::State {
  Eigen::MatrixXd rotation;         ///< V [D, D]
  Eigen::ArrayXd squared_singular;  ///< S^2 [D]
  Eigen::ArrayXd coordinates;       ///< S U^T y [D]
  Eigen::ArrayXd rotated_targets;   ///< U^T y [D], zero beyond min(N, D)
  double rest = 0.0;                ///< |y|^2 - |U^T y|^2
  double points = 0.0;              ///< N

  /// Posterior precision of the weights along the columns of V.
  [[nodiscard]] Eigen::ArrayXd precision(double prior_std, double noise_std) const {
    return squared_singular / (noise_std * noise_std) + 1.0 / (prior_std * prior_std);
  }
  /// Posterior mean of the weights along the columns of V.
  [[nodiscard]] Eigen::VectorXd mean(double prior_std, double noise_std) const {
    return coordinates / (noise_std * noise_std) / precision(prior_std, noise_std);
  }
};

Expected<LinearRegression> LinearRegression::decompose(const Array<double>& features,
                                                       std::span<const double> y) {
  if (features.rank() != 2 || features.extent(1) < 1 ||
      features.extent(0) != static_cast<std::int64_t>(y.size())) {
    throw std::invalid_argument("LinearRegression: expected features [N, D] and y [N]");
  }
  if (!allFinite(features.values()) || !allFinite(y)) {
    return fail(ErrorCode::kInvalidArgument,
                "blr: some features are not finite; use fewer features or scaled inputs");
  }
  const Index points = features.extent(0);
  const Index weights = features.extent(1);
  State state;
  state.points = static_cast<double>(points);
  state.rotation = Eigen::MatrixXd::Identity(weights, weights);
  state.squared_singular = Eigen::ArrayXd::Zero(weights);
  state.rotated_targets = Eigen::ArrayXd::Zero(weights);
  if (points > 0) {
    // First the triangle of Phi = Q R, so that the SVD is of size D; the rest of Q^T y is the part
    // of y that no weights explain, without the cancellation of a difference of squares.
    const Eigen::HouseholderQR<Eigen::MatrixXd> triangular(matrixOf(features));
    const Index rank = std::min(points, weights);
    const Eigen::VectorXd targets =
        triangular.householderQ().adjoint() * Eigen::Map<const Eigen::VectorXd>(y.data(), points);
    const Eigen::MatrixXd triangle =
        triangular.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(triangle, Eigen::ComputeThinU | Eigen::ComputeFullV);
    state.rotation = svd.matrixV();
    state.squared_singular.head(rank) = svd.singularValues().array().square();
    state.rotated_targets.head(rank) = svd.matrixU().transpose() * targets.head(rank);
    state.rest = targets.tail(points - rank).squaredNorm();
  }
  state.coordinates = state.squared_singular.sqrt() * state.rotated_targets;
  return LinearRegression(std::make_shared<const State>(std::move(state)));
}

std::int64_t LinearRegression::weightCount() const {
  return state_->rotation.rows();
}

LinearEvidence LinearRegression::evidence(double prior_std, double noise_std) const {
  const State& state = *state_;
  const double noise_precision = 1.0 / (noise_std * noise_std);
  const double prior_precision = 1.0 / (prior_std * prior_std);
  const Eigen::ArrayXd precision = state.precision(prior_std, noise_std);
  const double mean_squared = state.mean(prior_std, noise_std).squaredNorm();
  // Residuals along U are y (prior precision / precision); those of the rest are the rest.
  const double residual_squared =
      state.rest + (state.rotated_targets * prior_precision / precision).square().sum();
  LinearEvidence result;
  result.effective_weights = (state.squared_singular * noise_precision / precision).sum();
  result.log_evidence =
      -0.5 * (noise_precision * residual_squared + prior_precision * mean_squared) -
      0.5 * (precision / prior_precision).log().sum() -
      0.5 * state.points * std::log(2.0 * std::numbers::pi / noise_precision);
  result.gradient_log_prior_std = prior_precision * mean_squared - result.effective_weights;
  result.gradient_log_noise_std =
      noise_precision * residual_squared - (state.points - result.effective_weights);
  return result;
}

LinearPrediction LinearRegression::predict(const Array<double>& features, double prior_std,
                                           double noise_std) const {
  const RowMajorMatrix rotated = matrixOf(features) * state_->rotation;
  const Eigen::VectorXd mean = rotated * state_->mean(prior_std, noise_std);
  const Eigen::VectorXd variance = rotated.array().square().matrix() *
                                   state_->precision(prior_std, noise_std).inverse().matrix();
  return {{mean.begin(), mean.end()}, {variance.begin(), variance.end()}};
}

LinearWeights LinearRegression::weights(double prior_std, double noise_std) const {
  const Eigen::MatrixXd& rotation = state_->rotation;
  const Eigen::VectorXd mean = rotation * state_->mean(prior_std, noise_std);
  LinearWeights result{{mean.begin(), mean.end()},
                       Array<double>::zeros({rotation.rows(), rotation.rows()})};
  Eigen::Map<RowMajorMatrix>(result.covariance.mutableData(), rotation.rows(), rotation.rows()) =
      rotation * state_->precision(prior_std, noise_std).inverse().matrix().asDiagonal() *
      rotation.transpose();
  return result;
}

Array<double> LinearRegression::drawWeights(double prior_std, double noise_std, std::int64_t count,
                                            std::uint64_t seed) const {
  const Eigen::VectorXd mean = state_->mean(prior_std, noise_std);
  const Eigen::ArrayXd spread = state_->precision(prior_std, noise_std).rsqrt();
  const KeyedRandom random(seed, LabSite::kFunctionDraw);
  auto draws = Array<double>::zeros({count, mean.size()});
  Eigen::VectorXd rotated(mean.size());
  for (std::int64_t t = 0; t < count; ++t) {
    random.normals(static_cast<std::uint32_t>(t),
                   {rotated.data(), static_cast<std::size_t>(rotated.size())});
    rotated = mean.array() + spread * rotated.array();
    Eigen::Map<Eigen::VectorXd>(draws.mutableRow(t).data(), mean.size()) =
        state_->rotation * rotated;
  }
  return draws;
}

Array<double> LinearRegression::drawFunctions(const Array<double>& features, double prior_std,
                                              double noise_std, std::int64_t count,
                                              std::uint64_t seed) const {
  const Array<double> weights = drawWeights(prior_std, noise_std, count, seed);
  auto draws = Array<double>::zeros({count, features.extent(0)});
  for (std::int64_t t = 0; t < count; ++t) {
    Eigen::Map<Eigen::VectorXd>(draws.mutableRow(t).data(), features.extent(0)) =
        matrixOf(features) *
        Eigen::Map<const Eigen::VectorXd>(weights.row(t).data(), weights.extent(1));
  }
  return draws;
}

FeatureBasis::FeatureBasis(Kind kind, std::int64_t size, Interval range)
    : kind_(kind), size_(size), range_(range) {
  if (size < 1) {
    throw std::invalid_argument("FeatureBasis: size must be at least 1");
  }
  if (!(range_.high > range_.low)) {
    range_ = {range_.low - 0.5, range_.low + 0.5};
  }
}

std::int64_t FeatureBasis::count() const {
  return 1 + (kind_ == Kind::kFourier ? 2 * size_ : size_);
}

Array<double> FeatureBasis::features(std::span<const double> x) const {
  auto result = Array<double>::zeros({static_cast<std::int64_t>(x.size()), count()});
  for (std::size_t i = 0; i < x.size(); ++i) {
    write(x[i], result.mutableRow(static_cast<std::int64_t>(i)));
  }
  return result;
}

void FeatureBasis::write(double x, std::span<double> values) const {
  const double width = range_.high - range_.low;
  values[0] = 1.0;
  switch (kind_) {
    case Kind::kPowers:
      for (std::size_t k = 1; k < values.size(); ++k) {
        values[k] = values[k - 1] * x;
      }
      return;
    case Kind::kPolynomial: {
      // (k + 1) P_(k+1) = (2 k + 1) u P_k - k P_(k-1)
      const double u = 2.0 * (x - range_.low) / width - 1.0;
      double before = 0.0;
      double legendre = 1.0;
      for (std::size_t k = 1; k < values.size(); ++k) {
        const auto degree = static_cast<double>(k);
        const double next =
            ((2.0 * degree - 1.0) * u * legendre - (degree - 1.0) * before) / degree;
        before = legendre;
        legendre = next;
        values[k] = std::sqrt(2.0 * degree + 1.0) * legendre;
      }
      return;
    }
    case Kind::kRadial: {
      const double spacing = size_ > 1 ? width / static_cast<double>(size_ - 1) : width;
      const double first = size_ > 1 ? range_.low : range_.low + 0.5 * width;
      for (std::size_t k = 1; k < values.size(); ++k) {
        const double r = (x - first) / spacing - static_cast<double>(k - 1);
        values[k] = std::exp(-0.5 * r * r);
      }
      return;
    }
    case Kind::kFourier:
      for (std::int64_t k = 1; k <= size_; ++k) {
        const double angle = std::numbers::pi * static_cast<double>(k) * (x - range_.low) / width;
        values[static_cast<std::size_t>(2 * k - 1)] = std::cos(angle);
        values[static_cast<std::size_t>(2 * k)] = std::sin(angle);
      }
      return;
  }
}

FeatureBasis::Kind parseBasis(const std::string& name) {
  using Kind = FeatureBasis::Kind;
  for (const auto& [known, kind] :
       {std::pair("powers", Kind::kPowers), std::pair("polynomial", Kind::kPolynomial),
        std::pair("radial", Kind::kRadial), std::pair("fourier", Kind::kFourier)}) {
    if (name == known) {
      return kind;
    }
  }
  throw std::invalid_argument("parseBasis: unknown basis " + name);
}

}  // namespace dubito
