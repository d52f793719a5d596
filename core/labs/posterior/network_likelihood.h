// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/labs/methods/regression_method.h"
#include "core/labs/network/network_regression.h"
#include "core/labs/sampling/item_likelihood.h"

namespace dubito {

/// The points of a regression problem as items, given the parameters of a network with one input
/// and one output.
class NetworkLikelihood : public ItemLikelihood {
 public:
  NetworkLikelihood(const RegressionProblem& problem, const NetworkShape& shape)
      : network_(problem, shape, NetworkPrior{.precision = 0.0}) {}

  [[nodiscard]] std::int64_t dimension() const override { return network_.dimension(); }
  [[nodiscard]] std::int64_t items() const override { return network_.problem().size(); }
  double evaluate(std::span<const double> q, std::span<const std::int64_t> items,
                  std::span<double> gradient, std::span<double> squared) const override;

 private:
  void addSquares(std::span<const double> q, std::span<const std::int64_t> items,
                  std::span<double> squared) const;

  NetworkPosterior network_;
};

}  // namespace dubito
