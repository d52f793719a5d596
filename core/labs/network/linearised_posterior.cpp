// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/linearised_posterior.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace dubito {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double product(std::span<const double> a, const double* b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

}  // namespace

Status LinearisedPosterior::checkSize(std::int64_t items, std::int64_t parameters) {
  if (std::min(items, parameters) > kMaxRank || items * parameters > kMaxJacobian) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a Laplace posterior of {} parameters from {} points is too large; use "
                            "the last layer only, fewer hidden units, or fewer points",
                            parameters, items));
  }
  return {};
}

LinearisedPosterior::LinearisedPosterior(std::span<const double> jacobian, std::int64_t parameters,
                                         double noise_std, double tau)
    : parameters_(parameters), tau_(tau) {
  const std::int64_t items = std::ssize(jacobian) / parameters;
  const Eigen::Map<const RowMatrix> j(jacobian.data(), items, parameters);
  const double precision = 1.0 / (noise_std * noise_std);
  const bool by_parameters = parameters <= items;
  const Eigen::MatrixXd gram = by_parameters ? Eigen::MatrixXd(precision * (j.transpose() * j))
                                             : Eigen::MatrixXd(precision * (j * j.transpose()));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  const Eigen::VectorXd& values = solver.eigenvalues();
  // From the smaller matrix J J^T, directions of tiny eigenvalues are only rounding; they are left
  // to the prior, as an eigenvalue of 0 is.
  const double least = by_parameters ? -1.0 : 1e-13 * std::max(values.maxCoeff(), 0.0);
  for (std::int64_t i = values.size(); i-- > 0;) {
    if (values[i] <= least && !by_parameters) {
      continue;
    }
    Eigen::VectorXd vector = solver.eigenvectors().col(i);
    if (!by_parameters) {
      vector = (j.transpose() * vector).eval().normalized();
    }
    eigenvalues_.push_back(std::max(values[i], 0.0));
    eigenvectors_.insert(eigenvectors_.end(), vector.begin(), vector.end());
  }
}

double LinearisedPosterior::logDeterminant() const {
  const auto others = static_cast<double>(parameters_ - std::ssize(eigenvalues_));
  double sum = others * std::log(tau_);
  for (const double value : eigenvalues_) {
    sum += std::log(value + tau_);
  }
  return sum;
}

double LinearisedPosterior::variance(std::span<const double> jacobian) const {
  double rest = product(jacobian, jacobian.data());
  double sum = 0.0;
  for (std::size_t i = 0; i < eigenvalues_.size(); ++i) {
    const double along =
        product(jacobian, eigenvectors_.data() + i * static_cast<std::size_t>(parameters_));
    rest -= along * along;
    sum += along * along / (eigenvalues_[i] + tau_);
  }
  const bool is_complete = std::ssize(eigenvalues_) == parameters_;
  return sum + (is_complete ? 0.0 : std::max(rest, 0.0) / tau_);
}

void LinearisedPosterior::draw(std::span<double> z) const {
  const std::vector<double> normals(z.begin(), z.end());
  const double of_others = 1.0 / std::sqrt(tau_);
  for (double& value : z) {
    value *= of_others;
  }
  for (std::size_t i = 0; i < eigenvalues_.size(); ++i) {
    const double* const vector = eigenvectors_.data() + i * static_cast<std::size_t>(parameters_);
    const double change =
        (1.0 / std::sqrt(eigenvalues_[i] + tau_) - of_others) * product(normals, vector);
    for (std::size_t p = 0; p < z.size(); ++p) {
      z[p] += change * vector[p];
    }
  }
}

double LinearisedPosterior::evidenceTerms(double squared_norm) const {
  return -0.5 * tau_ * squared_norm + 0.5 * static_cast<double>(parameters_) * std::log(tau_) -
         0.5 * logDeterminant();
}

void LinearisedPosterior::maximiseEvidence(double squared_norm) {
  // The derivative in log tau is half of
  //   sum_i value_i / (value_i + tau) - tau |q|^2,
  // which falls with tau, so there is one maximum.
  const auto slope = [&](double tau) {
    double sum = -tau * squared_norm;
    for (const double value : eigenvalues_) {
      sum += value / (value + tau);
    }
    return sum;
  };
  double low = 1e-6;
  double high = 1e6;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (slope(middle) > 0.0 ? low : high) = middle;
  }
  tau_ = std::sqrt(low * high);
}

}  // namespace dubito
