// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/normal_inverse_gamma.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/labs/random/keyed_random.h"

namespace dubito {

struct NormalInverseGamma::State {
  double prior_precision;
  double prior_shape;
  double prior_rate;
  Eigen::MatrixXd precision;
  Eigen::VectorXd weighted;  ///< sum y phi
  double squares = 0.0;      ///< sum y^2
  double count = 0.0;
  /// Of `precision`; nullopt since the last observation.
  mutable std::optional<Eigen::LLT<Eigen::MatrixXd>> factor;
  mutable Eigen::VectorXd mean;  ///< valid with `factor`

  void reset() {
    const Eigen::Index weights = weighted.size();
    precision = prior_precision * Eigen::MatrixXd::Identity(weights, weights);
    weighted.setZero();
    squares = 0.0;
    count = 0.0;
    factor.reset();
  }
  const Eigen::LLT<Eigen::MatrixXd>& factorised() const {
    if (!factor) {
      factor.emplace(precision);
      mean = factor->solve(weighted);
    }
    return *factor;
  }
  [[nodiscard]] double rate() const {
    factorised();
    // mean^T precision mean = mean^T weighted. Rounding must not make the rate smaller than b.
    return prior_rate + 0.5 * std::max(squares - mean.dot(weighted), 0.0);
  }
};

namespace {

Eigen::Map<const Eigen::VectorXd> vectorOf(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

NormalInverseGamma::NormalInverseGamma(std::int64_t weights, double prior_precision, double shape,
                                       double rate)
    : state_(std::make_unique<State>(State{.prior_precision = prior_precision,
                                           .prior_shape = shape,
                                           .prior_rate = rate,
                                           .precision = {},
                                           .weighted = Eigen::VectorXd(weights),
                                           .factor = {},
                                           .mean = {}})) {
  state_->reset();
}

NormalInverseGamma::~NormalInverseGamma() = default;
NormalInverseGamma::NormalInverseGamma(NormalInverseGamma&& other) noexcept = default;
NormalInverseGamma& NormalInverseGamma::operator=(NormalInverseGamma&& other) noexcept = default;

void NormalInverseGamma::add(std::span<const double> phi, double y) {
  const auto features = vectorOf(phi);
  state_->precision.noalias() += features * features.transpose();
  state_->weighted += y * features;
  state_->squares += y * y;
  state_->count += 1.0;
  state_->factor.reset();
}

void NormalInverseGamma::clear() {
  state_->reset();
}

std::vector<double> NormalInverseGamma::mean() const {
  state_->factorised();
  return {state_->mean.begin(), state_->mean.end()};
}

double NormalInverseGamma::relativeVariance(std::span<const double> phi) const {
  return state_->factorised().matrixL().solve(vectorOf(phi)).squaredNorm();
}

double NormalInverseGamma::shape() const {
  return state_->prior_shape + 0.5 * state_->count;
}

double NormalInverseGamma::rate() const {
  return state_->rate();
}

double NormalInverseGamma::drawAt(std::span<const double> phi, std::uint64_t seed,
                                  std::uint64_t stream, std::uint32_t draw) const {
  const double variance = rate() / gammaDraw(shape(), seed, stream, draw);
  // w = mean + s L^-T z, so phi^T w needs only L^-1 phi.
  Eigen::VectorXd normals(state_->weighted.size());
  KeyedRandom(seed, LabSite::kAgent, stream)
      .normals(draw, {normals.data(), static_cast<std::size_t>(normals.size())});
  const Eigen::VectorXd solved = state_->factorised().matrixL().solve(vectorOf(phi));
  return vectorOf(phi).dot(state_->mean) + std::sqrt(variance) * solved.dot(normals);
}

}  // namespace dubito
