// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/chain_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/labs/posterior/network_likelihood.h"

namespace dubito {
namespace {

/// Inputs at which chains are compared, spread over the data.
constexpr std::size_t kComparedInputs = 5;

ChainRun::Setup setUpOf(const ChainLearner::Setup& setup) {
  const auto [low, high] = std::ranges::minmax(setup.problem.x);
  std::vector<double> inputs;
  ChainRun::Setup result{setup.run, setup.warm_up, setup.rejects, {}, {}};
  for (std::size_t i = 0; i < kComparedInputs; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kComparedInputs - 1);
    inputs.push_back(low + share * (high - low));
    result.compared.push_back(fmt::format("at x = {:.2g}", inputs.back()));
  }
  result.outputs = [shape = setup.shape, inputs](std::span<const double> state,
                                                 std::span<double> outputs) {
    networkOutputs(shape, state, inputs, outputs);
  };
  return result;
}

}  // namespace

ChainLearner::ChainLearner(Setup setup, std::vector<std::unique_ptr<MarkovChain>> chains)
    : setup_(std::move(setup)), run_(setUpOf(setup_), std::move(chains)) {}

Expected<RegressionPrediction> ChainLearner::predict(std::span<const double> x,
                                                     std::int64_t max_draws,
                                                     RunContext& context) const {
  const Array<double> states = run_.states(max_draws);
  const double noise_variance = setup_.problem.noise_std * setup_.problem.noise_std;
  RegressionPrediction prediction =
      predictionOfDraws(functionsOf(setup_.shape, states, x, context), {}, noise_variance);
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(prediction.epistemic_variance, is_finite)) {
    return fail(ErrorCode::kInvalidArgument,
                "The predictions of the chains are not finite; use a smaller step size");
  }
  return prediction;
}

}  // namespace dubito
