// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/network_likelihood.h"

#include <algorithm>
#include <vector>

namespace dubito {

double NetworkLikelihood::evaluate(std::span<const double> q, std::span<const std::int64_t> items,
                                   std::span<double> gradient, std::span<double> squared) const {
  if (!squared.empty()) {
    addSquares(q, items, squared);
  }
  // All items need no copies of the points. Callers list them in order.
  return static_cast<std::int64_t>(items.size()) == network_.problem().size()
             ? network_.logLikelihood(q, gradient)
             : network_.logLikelihood(q, items, 1.0, gradient);
}

void NetworkLikelihood::addSquares(std::span<const double> q, std::span<const std::int64_t> items,
                                   std::span<double> squared) const {
  const RegressionProblem& problem = network_.problem();
  std::vector<double> x;
  for (const std::int64_t item : items) {
    x.push_back(problem.x[static_cast<std::size_t>(item)]);
  }
  std::vector<double> outputs(x.size());
  networkOutputs(network_.shape(), q, x, outputs);
  std::vector<double> jacobians(x.size() * q.size());
  networkJacobians(network_.shape(), q, x, jacobians);
  const double precision = 1.0 / (problem.noise_std * problem.noise_std);
  std::ranges::fill(squared, 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double slope = precision * (problem.y[static_cast<std::size_t>(items[n])] - outputs[n]);
    for (std::size_t d = 0; d < q.size(); ++d) {
      const double gradient = slope * jacobians[n * q.size() + d];
      squared[d] += gradient * gradient;
    }
  }
}

}  // namespace dubito
