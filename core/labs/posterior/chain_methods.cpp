// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <type_traits>
#include <utility>

#include "core/labs/network/network_options.h"
#include "core/labs/posterior/chain_learner.h"
#include "core/labs/posterior/posterior_methods.h"
#include "core/labs/posterior/posterior_network.h"
#include "core/labs/sampling/hmc.h"
#include "core/labs/sampling/metropolis.h"
#include "core/labs/sampling/sgld.h"

namespace dubito {
namespace {

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
    std::vector<std::unique_ptr<MarkovChain>> chains;
    for (std::int64_t c = 0; c < run_.chains; ++c) {
      const auto number = static_cast<std::uint64_t>(c);
      std::vector<double> start = initialParameters(network_.shape(), seed, number);
      if (const Status checked = checkStart(*posterior, start); !checked) {
        return failWith(checked);
      }
      chains.push_back(makeChain(posterior, std::move(start), seed, number));
    }
    return std::make_unique<ChainLearner>(
        ChainLearner::Setup{.problem = problem,
                            .shape = network_.shape(),
                            .run = run_,
                            .warm_up = sampler_.warm_up,
                            .rejects = !std::is_same_v<SamplerOptions, SgldOptions>},
        std::move(chains));
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
          .formula = "H(q, p) = -ln p(q | D) + |p|^2/2; leapfrog; accept with min(1, exp(H0 - H1))",
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
      .formula = "q <- q + eps_t/2 (grad ln p(q) + N/n sum grad ln p(y_i | q)) + N(0, eps_t)",
      .theory = "9-small-bayesian-models",
      .make = []() -> std::unique_ptr<RegressionMethod> {
        return std::make_unique<ChainMethod<SgldOptions>>(
            SgldOptions{
                .step_size = 5e-5, .decay = 0.33, .delay = 20000.0, .batch = 32, .warm_up = 5000},
            ChainRunOptions{.chains = 4, .draws = 40000, .kept = 250});
      }};
}

}  // namespace dubito
