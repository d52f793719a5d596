// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/options.h"
#include "core/labs/methods/regression_method.h"
#include "core/labs/network/network_regression.h"
#include "core/labs/network/regression_task.h"
#include "core/labs/posterior/chain_run.h"
#include "core/labs/sampling/log_density.h"

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

/// The network whose posterior is wanted: 1 input, a hidden layer of tanh, 1 output.
struct PosteriorNetworkOptions {
  /// Hidden units, >= 1. [CHAN] uses 128.
  std::int64_t hidden_units = 128;
  /// Standard deviation of the priors of weights and biases, > 0. The weights of the output are
  /// narrower by sqrt(hidden_units), so that the prior of the function does not grow with the
  /// width.
  double prior_std = 2.0;

  using Task = RegressionTask;
  /// Whether the widths of the prior are the scale of samplers.
  static constexpr bool kScalesByPrior = true;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] NetworkShape shape(const RegressionProblem& problem) const;
  /// The posterior of the network given `problem`.
  [[nodiscard]] std::shared_ptr<const DataPosterior> posterior(
      const RegressionProblem& problem) const;
  /// Lets chains be compared by the values of the curve at some inputs.
  void compare(const RegressionProblem& problem, ChainRun::Setup& setup) const;
  /// Network and prior, equal for equal options: RegressionMethod::posterior().
  [[nodiscard]] std::string text() const;
};

/// Draws functions of the network from the prior of its weights. Exact, in one unit of work.
[[nodiscard]] std::unique_ptr<RegressionLearner> startNetworkPrior(
    const RegressionProblem& problem, const PosteriorNetworkOptions& options, std::uint64_t seed);

/// A method `Base` that aims at the posterior of such a network. Before there are points, that is
/// the prior, whatever the method.
template <class Base>
class CurvePosteriorMethod : public Base {
 public:
  using Base::Base;
  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const override {
    if (problem.size() == 0) {
      return startNetworkPrior(problem, this->options().network, seed);
    }
    return Base::start(problem, seed);
  }
  [[nodiscard]] bool hasPrior() const override { return true; }
  [[nodiscard]] std::string posterior() const override { return this->options().network.text(); }
};

/// 1/sqrt of the prior precision of each parameter: natural widths of proposals.
[[nodiscard]] std::vector<double> priorWidths(const DataPosterior& posterior);

/// `count` points [P] to start from, one per chain. kInvalidArgument, with the remedy, if a
/// gradient over the items would take too long to repeat thousands of times, or as checkStart().
[[nodiscard]] Expected<std::vector<std::vector<double>>> startingPoints(
    const DataPosterior& posterior, const NetworkShape& shape, std::int64_t count,
    std::uint64_t seed);

}  // namespace dubito
