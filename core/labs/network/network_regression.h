// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/methods/regression_method.h"
#include "core/labs/network/network_pass.h"

namespace dubito {

/// Independent normal priors with mean 0 on all parameters of a network.
struct NetworkPrior {
  double precision = 1.0;  ///< of weights and biases, >= 0; 0: no prior
  /// Multiplies the precision of a weight by the number of inputs of its layer, so that the prior
  /// of the outputs does not grow with the width. Biases, and layers with a single input, keep
  /// `precision`.
  bool scaled_by_inputs = false;

  /// Precision of each parameter, [P].
  [[nodiscard]] std::vector<double> precisions(const NetworkShape& shape) const;
};

/// The posterior of a network with one output, given points with Gaussian noise:
/// log p(q | D) + log p(D) = sum_n log N(y_n; f(x_n, q), noise_std^2) + sum_i log N(q_i; 0,
/// 1/precision_i), with all constants. Without a prior (precision 0) the second sum is left out.
/// Thread-safe.
class NetworkPosterior {
 public:
  /// Throws std::invalid_argument if `shape` is not valid, has not one output, or has other
  /// inputs than the problem.
  NetworkPosterior(RegressionProblem problem, NetworkShape shape, NetworkPrior prior = {});

  [[nodiscard]] const RegressionProblem& problem() const { return problem_; }
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t dimension() const { return shape_.parameterCount(); }
  [[nodiscard]] std::span<const double> precisions() const { return precisions_; }

  /// Log posterior at `q` [P], and its gradient [P] unless `gradient` is empty.
  double evaluate(std::span<const double> q, std::span<double> gradient) const;
  /// Log likelihood of the points `items`, times `weight`, and its gradient [P] unless empty. With
  /// weight N / items.size() it is an estimate of the log likelihood of all points.
  double logLikelihood(std::span<const double> q, std::span<const std::int64_t> items,
                       double weight, std::span<double> gradient) const;
  /// Log likelihood of all points.
  double logLikelihood(std::span<const double> q, std::span<double> gradient) const;
  /// Log prior; its gradient is added to `gradient` [P] unless that is empty.
  double addLogPrior(std::span<const double> q, std::span<double> gradient) const;

 private:
  double weightedLogLikelihood(std::span<const double> x, std::span<const double> y,
                               std::span<const double> q, double weight,
                               std::span<double> gradient) const;

  RegressionProblem problem_;
  NetworkShape shape_;
  std::vector<double> precisions_;
  double log_prior_constant_ = 0.0;
};

}  // namespace dubito
