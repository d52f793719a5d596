// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_regression.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/labs/network/regression_task.h"

namespace dubito {

std::vector<double> NetworkPrior::precisions(const NetworkShape& shape) const {
  std::vector<double> result(static_cast<std::size_t>(shape.parameterCount()), precision);
  if (scaled_by_inputs) {
    for (std::int64_t layer = 0; layer < shape.layerCount(); ++layer) {
      const auto first = result.begin() + shape.firstWeightOf(layer);
      std::fill_n(first, shape.inputsOf(layer) * shape.outputsOf(layer),
                  precision * static_cast<double>(shape.inputsOf(layer)));
    }
  }
  return result;
}

NetworkPosterior::NetworkPosterior(RegressionProblem problem, NetworkShape shape,
                                   NetworkPrior prior)
    : problem_(std::move(problem)),
      shape_(std::move(shape)),
      precisions_(prior.precisions(shape_)) {
  if (!shape_.check() || std::ssize(problem_.x) != problem_.size() * shape_.inputs ||
      shape_.outputs != 1) {
    throw std::invalid_argument(
        "NetworkPosterior: expected one output and as many inputs as in the problem");
  }
  if (prior.precision > 0.0) {
    for (const double precision : precisions_) {
      log_prior_constant_ += 0.5 * std::log(0.5 * precision / std::numbers::pi);
    }
  }
}

double NetworkPosterior::weightedLogLikelihood(std::span<const double> x, std::span<const double> y,
                                               std::span<const double> q, double weight,
                                               std::span<double> gradient) const {
  const double variance = problem_.noise_std * problem_.noise_std;
  const double scale = weight / variance;
  double squares = 0.0;
  if (gradient.empty()) {
    std::vector<double> outputs(y.size());
    networkOutputs(shape_, q, x, outputs);
    for (std::size_t n = 0; n < y.size(); ++n) {
      squares += (y[n] - outputs[n]) * (y[n] - outputs[n]);
    }
  } else {
    const auto loss = [&](std::int64_t first, std::span<const double> outputs,
                          std::span<double> output_gradient) {
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const double residual = y[static_cast<std::size_t>(first) + i] - outputs[i];
        squares += residual * residual;
        output_gradient[i] = scale * residual;
      }
    };
    networkGradient(shape_, q, x, loss, gradient);
  }
  return -0.5 * scale * squares -
         0.5 * weight * static_cast<double>(y.size()) * std::log(2.0 * std::numbers::pi * variance);
}

double NetworkPosterior::logLikelihood(std::span<const double> q,
                                       std::span<double> gradient) const {
  return weightedLogLikelihood(problem_.x, problem_.y, q, 1.0, gradient);
}

double NetworkPosterior::logLikelihood(std::span<const double> q,
                                       std::span<const std::int64_t> items, double weight,
                                       std::span<double> gradient) const {
  const RegressionBatch batch(problem_, items);
  return weightedLogLikelihood(batch.x, batch.y, q, weight, gradient);
}

double NetworkPosterior::addLogPrior(std::span<const double> q, std::span<double> gradient) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    sum += precisions_[i] * q[i] * q[i];
  }
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] -= precisions_[i] * q[i];
  }
  return log_prior_constant_ - 0.5 * sum;
}

double NetworkPosterior::evaluate(std::span<const double> q, std::span<double> gradient) const {
  const double likelihood = logLikelihood(q, gradient);
  return likelihood + addLogPrior(q, gradient);
}

}  // namespace dubito
