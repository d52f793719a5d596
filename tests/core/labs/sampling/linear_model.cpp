// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/labs/sampling/linear_model.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "tests/support/shared_data.h"

namespace dubito::test {

double LinearModel::evaluate(std::span<const double> q, std::span<const std::int64_t> items,
                             std::span<double> gradient, std::span<double> squared) const {
  std::ranges::fill(gradient, 0.0);
  std::ranges::fill(squared, 0.0);
  double sum = 0.0;
  for (const std::int64_t item : items) {
    const auto& row = phi_[static_cast<std::size_t>(item)];
    const double error = y_[static_cast<std::size_t>(item)] -
                         std::inner_product(q.begin(), q.end(), row.begin(), 0.0);
    sum -= 0.5 * error * error / noise_variance_ +
           0.5 * std::log(2.0 * std::numbers::pi * noise_variance_);
    for (std::size_t d = 0; d < gradient.size(); ++d) {
      gradient[d] += error * row[d] / noise_variance_;
    }
    for (std::size_t d = 0; d < squared.size(); ++d) {
      const double slope = error * row[d] / noise_variance_;
      squared[d] += slope * slope;
    }
  }
  return sum;
}

std::shared_ptr<const DataPosterior> linearModelOfVectors() {
  const nlohmann::json model = readVectors("labs").at("linear_model");
  auto likelihood = std::make_shared<LinearModel>(
      model.at("phi").get<std::vector<std::vector<double>>>(),
      model.at("y").get<std::vector<double>>(), model.at("noise_variance").get<double>());
  const auto dimension = static_cast<std::size_t>(likelihood->dimension());
  return std::make_shared<DataPosterior>(
      std::move(likelihood),
      std::vector<double>(dimension, model.at("prior_precision").get<double>()));
}

std::vector<std::vector<double>> inverseOf(std::vector<std::vector<double>> matrix) {
  const std::size_t size = matrix.size();
  std::vector<std::vector<double>> inverse(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i) {
    inverse[i][i] = 1.0;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const double pivot = matrix[i][i];
    for (std::size_t k = 0; k < size; ++k) {
      matrix[i][k] /= pivot;
      inverse[i][k] /= pivot;
    }
    for (std::size_t j = 0; j < size; ++j) {
      const double factor = j == i ? 0.0 : matrix[j][i];
      for (std::size_t k = 0; k < size; ++k) {
        matrix[j][k] -= factor * matrix[i][k];
        inverse[j][k] -= factor * inverse[i][k];
      }
    }
  }
  return inverse;
}

Gaussian exactPosterior(const std::vector<std::vector<double>>& phi, const std::vector<double>& y,
                        double noise_variance, double prior_precision) {
  const std::size_t size = phi[0].size();
  std::vector<std::vector<double>> precision(size, std::vector<double>(size));
  std::vector<double> pull(size);
  for (std::size_t d = 0; d < size; ++d) {
    precision[d][d] = prior_precision;
    for (std::size_t n = 0; n < phi.size(); ++n) {
      pull[d] += phi[n][d] * y[n] / noise_variance;
      for (std::size_t e = 0; e < size; ++e) {
        precision[d][e] += phi[n][d] * phi[n][e] / noise_variance;
      }
    }
  }
  Gaussian result{std::vector<double>(size), inverseOf(precision)};
  for (std::size_t d = 0; d < size; ++d) {
    result.mean[d] =
        std::inner_product(pull.begin(), pull.end(), result.covariance[d].begin(), 0.0);
  }
  return result;
}

Gaussian exactPosteriorOfVectors() {
  const nlohmann::json model = readVectors("labs").at("linear_model");
  return exactPosterior(model.at("phi").get<std::vector<std::vector<double>>>(),
                        model.at("y").get<std::vector<double>>(),
                        model.at("noise_variance").get<double>(),
                        model.at("prior_precision").get<double>());
}

double GaussianDensity::evaluate(std::span<const double> q, std::span<double> gradient) const {
  double value = 0.0;
  for (std::size_t d = 0; d < q.size(); ++d) {
    double pull = 0.0;
    for (std::size_t e = 0; e < q.size(); ++e) {
      pull += precision_[d][e] * (q[e] - gaussian_.mean[e]);
    }
    value -= 0.5 * pull * (q[d] - gaussian_.mean[d]);
    if (!gradient.empty()) {
      gradient[d] = -pull;
    }
  }
  return value;
}

}  // namespace dubito::test
