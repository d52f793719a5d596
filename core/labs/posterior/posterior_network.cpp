// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/posterior_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/labs/sampling/markov_chain.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxPoints = 2000;
/// Inputs at which chains are compared, spread over the data.
constexpr std::int64_t kComparedInputs = 5;

}  // namespace

std::vector<Field> PosteriorNetworkOptions::fields() {
  return {
      field(&hidden_units, "hidden_units", "Hidden units", "width of the hidden layer, with tanh",
            {.min = 1, .max = static_cast<double>(kMaxHiddenUnits)}),
      field(&prior_std, "prior_std", "Prior spread",
            "standard deviation of the priors of weights and biases, divided by the root of "
            "the width for weights of the output",
            {.min = 1e-3, .max = 1e3}),
  };
}

NetworkShape PosteriorNetworkOptions::shape(const RegressionProblem& /*problem*/) const {
  return {.inputs = 1, .hidden = {hidden_units}, .outputs = 1, .activation = Activation::kTanh};
}

std::shared_ptr<const DataPosterior> PosteriorNetworkOptions::posterior(
    const RegressionProblem& problem) const {
  const NetworkPrior prior{.precision = 1.0 / (prior_std * prior_std), .scaled_by_inputs = true};
  const NetworkShape of_problem = shape(problem);
  return std::make_shared<DataPosterior>(std::make_shared<NetworkLikelihood>(problem, of_problem),
                                         prior.precisions(of_problem));
}

void PosteriorNetworkOptions::compare(const RegressionProblem& problem,
                                      ChainRun::Setup& setup) const {
  const auto [low, high] = std::ranges::minmax(problem.x);
  const std::vector<double> inputs = evenlySpaced({low, high}, kComparedInputs);
  for (const double x : inputs) {
    setup.compared.push_back(fmt::format("at x = {:.2g}", x));
  }
  setup.outputs = [shape = shape(problem), inputs](std::span<const double> state,
                                                   std::span<double> outputs) {
    networkOutputs(shape, state, inputs, outputs);
  };
}

std::string PosteriorNetworkOptions::text() const {
  return fmt::format("1-{}-1 tanh, prior spread {}", hidden_units, prior_std);
}

std::vector<double> priorWidths(const DataPosterior& posterior) {
  std::vector<double> widths;
  for (const double precision : posterior.priorPrecision()) {
    widths.push_back(1.0 / std::sqrt(precision));
  }
  return widths;
}

Expected<std::vector<std::vector<double>>> startingPoints(const DataPosterior& posterior,
                                                          const NetworkShape& shape,
                                                          std::int64_t count, std::uint64_t seed) {
  if (const std::int64_t points = posterior.likelihood().items(); points > kMaxPoints) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("This method passes over all {} points thousands of times; use at most "
                            "{} points",
                            points, kMaxPoints));
  }
  std::vector<std::vector<double>> starts;
  for (std::int64_t c = 0; c < count; ++c) {
    starts.push_back(initialParameters(shape, seed, static_cast<std::uint64_t>(c)));
    if (const Status checked = checkStart(posterior, starts.back()); !checked) {
      return failWith(checked);
    }
  }
  return starts;
}

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
