// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/linear_regression.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

using Eigen::Index;
using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajorMatrix> matrixOf(const Array<double>& array) {
  return {array.data(), array.extent(0), array.extent(1)};
}

bool areFinite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
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
  if (!areFinite(features.values()) || !areFinite(y)) {
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

Array<double> LinearRegression::drawFunctions(const Array<double>& features, double prior_std,
                                              double noise_std, std::int64_t count,
                                              std::uint64_t seed) const {
  auto draws = Array<double>::zeros({count, features.extent(0)});
  const Eigen::VectorXd mean = state_->mean(prior_std, noise_std);
  const Eigen::ArrayXd spread = state_->precision(prior_std, noise_std).rsqrt();
  const KeyedRandom random(seed, LabSite::kFunctionDraw);
  Eigen::VectorXd weights(mean.size());
  for (std::int64_t t = 0; t < count; ++t) {
    random.normals(static_cast<std::uint32_t>(t),
                   {weights.data(), static_cast<std::size_t>(weights.size())});
    weights = mean.array() + spread * weights.array();
    Eigen::Map<Eigen::VectorXd>(draws.mutableRow(t).data(), features.extent(0)) =
        matrixOf(features) * (state_->rotation * weights);
  }
  return draws;
}

}  // namespace dubito
