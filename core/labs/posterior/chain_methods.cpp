// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/labs/network/network_options.h"
#include "core/labs/network/regression_task.h"
#include "core/labs/posterior/chain_learner.h"
#include "core/labs/posterior/posterior_methods.h"
#include "core/labs/posterior/posterior_network.h"
#include "core/labs/sampling/hmc.h"
#include "core/labs/sampling/metropolis.h"
#include "core/labs/sampling/sgld.h"

namespace dubito {
namespace {

/// Inputs at which chains are compared, spread over the data.
constexpr std::size_t kComparedInputs = 5;

/// Compares the values of the curve at some inputs.
ChainRun::Setup comparedCurves(const RegressionProblem& problem, const NetworkShape& shape,
                               const ChainRunOptions& run, std::int64_t warm_up, bool rejects) {
  const auto [low, high] = std::ranges::minmax(problem.x);
  std::vector<double> inputs;
  ChainRun::Setup setup{run, warm_up, rejects, {}, {}};
  for (std::size_t i = 0; i < kComparedInputs; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kComparedInputs - 1);
    inputs.push_back(low + share * (high - low));
    setup.compared.push_back(fmt::format("at x = {:.2g}", inputs.back()));
  }
  setup.outputs = [shape, inputs](std::span<const double> state, std::span<double> outputs) {
    networkOutputs(shape, state, inputs, outputs);
  };
  return setup;
}

class CurveChainLearner : public ChainLearner<RegressionTask> {
 public:
  using ChainLearner::ChainLearner;

  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override {
    auto prediction = ChainLearner::predict(x, max_draws, context);
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (prediction && !std::ranges::all_of(prediction->epistemic_variance, is_finite)) {
      return fail(ErrorCode::kInvalidArgument,
                  "The predictions of the chains are not finite; use a smaller step size");
    }
    return prediction;
  }
};

/// What the methods that run chains have in common.
template <class SamplerOptions>
class ChainMethod : public RegressionMethod {
 public:
  ChainMethod(SamplerOptions sampler, ChainRunOptions run) : sampler_(sampler), run_(run) {}

  [[nodiscard]] std::vector<Field> fields() override {
    return joinFields(joinFields(network_.fields(), sampler_.fields()), run_.fields());
  }
  [[nodiscard]] Status check() const override { return checkFields(ChainMethod(*this).fields()); }
  [[nodiscard]] std::string posterior() const override { return network_.text(); }
  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const override {
    if (const Status checked = checkSizeForSampling(problem); !checked) {
      return failWith(checked);
    }
    const auto posterior = networkPosterior(problem, network_);
    auto chains = startChains(*posterior, network_.shape(), run_.chains, seed,
                              [&](std::vector<double> start, std::uint64_t number) {
                                return makeChain(posterior, std::move(start), seed, number);
                              });
    if (!chains) {
      return failWith(chains);
    }
    constexpr bool kRejects = !std::is_same_v<SamplerOptions, SgldOptions>;
    return std::make_unique<CurveChainLearner>(
        problem, network_.shape(),
        comparedCurves(problem, network_.shape(), run_, sampler_.warm_up, kRejects),
        *std::move(chains));
  }

 private:
  [[nodiscard]] std::unique_ptr<MarkovChain> makeChain(
      const std::shared_ptr<const DataPosterior>& posterior, std::vector<double> start,
      std::uint64_t seed, std::uint64_t chain) const;

  PosteriorNetworkOptions network_;
  SamplerOptions sampler_;
  ChainRunOptions run_;
};

// The widths of the prior are the scale of every sampler: the weights of the output are narrower by
// the root of the number of hidden units, and one step size must suit all.

template <>
std::unique_ptr<MarkovChain> ChainMethod<HmcOptions>::makeChain(
    const std::shared_ptr<const DataPosterior>& posterior, std::vector<double> start,
    std::uint64_t seed, std::uint64_t chain) const {
  std::vector<double> inverse_mass;
  for (const double precision : posterior->priorPrecision()) {
    inverse_mass.push_back(1.0 / precision);
  }
  return std::make_unique<HmcChain>(posterior, sampler_, std::move(start), seed, chain,
                                    std::move(inverse_mass));
}

template <>
std::unique_ptr<MarkovChain> ChainMethod<MetropolisOptions>::makeChain(
    const std::shared_ptr<const DataPosterior>& posterior, std::vector<double> start,
    std::uint64_t seed, std::uint64_t chain) const {
  return std::make_unique<MetropolisChain>(posterior, sampler_, std::move(start), seed, chain,
                                           priorWidths(*posterior));
}

template <>
std::unique_ptr<MarkovChain> ChainMethod<SgldOptions>::makeChain(
    const std::shared_ptr<const DataPosterior>& posterior, std::vector<double> start,
    std::uint64_t seed, std::uint64_t chain) const {
  return std::make_unique<SgldChain>(batchGradient(posterior, sampler_.batch, seed, chain),
                                     sampler_, std::move(start), seed, chain,
                                     priorWidths(*posterior));
}

}  // namespace

RegressionMethodInfo hmcMethod() {
  return {.key = "hmc",
          .name = "HMC",
          .explanation =
              "Hamiltonian Monte Carlo draws networks from the posterior with trajectories that "
              "follow the "
              "gradient. The most exact method here, and the reference for the others.",
          .formula = "H(q, p) = −ln p(q | D) + |p|²/2; leapfrog; accept with min(1, exp(H₀ − H₁))",
          .theory = "9-small-bayesian-models",
          .make = []() -> std::unique_ptr<RegressionMethod> {
            return std::make_unique<ChainMethod<HmcOptions>>(
                HmcOptions{.step_size = 0.01, .leapfrog_steps = 30, .warm_up = 300, .jitter = 0.05},
                ChainRunOptions{.chains = 4, .draws = 1000, .kept = 250});
          }};
}

RegressionMethodInfo metropolisMethod() {
  return {.key = "mh",
          .name = "Metropolis",
          .explanation =
              "Draws networks from the posterior by small random steps, accepted or "
              "rejected. Too slow for hundreds of weights: watch R-hat.",
          .formula = "q' = q + s z, z ~ N(0, I); accept with min(1, p(q' | D)/p(q | D))",
          .theory = "9-small-bayesian-models",
          .make = []() -> std::unique_ptr<RegressionMethod> {
            return std::make_unique<ChainMethod<MetropolisOptions>>(
                MetropolisOptions{.step_size = 0.01, .target_acceptance = 0.234, .warm_up = 10000},
                ChainRunOptions{.chains = 4, .draws = 50000, .kept = 250});
          }};
}

RegressionMethodInfo sgldMethod() {
  return {
      .key = "sgld",
      .name = "SGLD",
      .explanation =
          "Gradient descent on mini-batches with added noise. Without rejection, so "
          "its error depends on the step size.",
      .formula = "q ← q + εₜ/2 (∇ln p(q) + N/n Σᵢ ∇ln p(yᵢ | q)) + N(0, εₜ)",
      .theory = "9-small-bayesian-models",
      .make = []() -> std::unique_ptr<RegressionMethod> {
        return std::make_unique<ChainMethod<SgldOptions>>(
            SgldOptions{
                .step_size = 5e-5, .decay = 0.33, .delay = 20000.0, .batch = 32, .warm_up = 5000},
            ChainRunOptions{.chains = 4, .draws = 40000, .kept = 250});
      }};
}

}  // namespace dubito
