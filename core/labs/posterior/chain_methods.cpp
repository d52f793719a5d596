// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <utility>

#include "core/labs/posterior/chain_method.h"
#include "core/labs/posterior/posterior_methods.h"

namespace dubito {

// The widths of the prior are the scale of every sampler: the weights of the output are narrower by
// the root of the number of hidden units, and one step size must suit all.

std::unique_ptr<MarkovChain> makeChain(const std::shared_ptr<const DataPosterior>& posterior,
                                       const HmcOptions& options, std::vector<double> start,
                                       std::uint64_t seed, std::uint64_t chain,
                                       bool scales_by_prior) {
  std::vector<double> inverse_mass;
  for (std::size_t d = 0; d < start.size() && scales_by_prior; ++d) {
    inverse_mass.push_back(1.0 / posterior->priorPrecision()[d]);
  }
  return std::make_unique<HmcChain>(posterior, options, std::move(start), seed, chain,
                                    std::move(inverse_mass));
}

std::unique_ptr<MarkovChain> makeChain(const std::shared_ptr<const DataPosterior>& posterior,
                                       const MetropolisOptions& options, std::vector<double> start,
                                       std::uint64_t seed, std::uint64_t chain,
                                       bool scales_by_prior) {
  return std::make_unique<MetropolisChain>(
      posterior, options, std::move(start), seed, chain,
      scales_by_prior ? priorWidths(*posterior) : std::vector<double>());
}

std::unique_ptr<MarkovChain> makeChain(const std::shared_ptr<const DataPosterior>& posterior,
                                       const SgldOptions& options, std::vector<double> start,
                                       std::uint64_t seed, std::uint64_t chain,
                                       bool scales_by_prior) {
  return std::make_unique<SgldChain>(
      batchGradient(posterior, options.batch, seed, chain), options, std::move(start), seed, chain,
      scales_by_prior ? priorWidths(*posterior) : std::vector<double>());
}

namespace {

template <class Sampler>
std::unique_ptr<RegressionMethod> curveChains(Sampler sampler, ChainRunOptions run) {
  using Method = CurvePosteriorMethod<ChainMethod<PosteriorNetworkOptions, Sampler>>;
  return std::make_unique<Method>(typename Method::Options{std::move(sampler), run});
}

}  // namespace

RegressionMethodInfo hmcMethod() {
  return {"hmc",
          "HMC",
          "Hamiltonian Monte Carlo draws networks from the posterior with trajectories that "
          "follow the gradient. The most exact method here, and the reference for the others.",
          "H(q, p) = −ln p(q | D) + |p|²/2; leapfrog; accept with min(1, exp(H₀ − H₁))",
          "9-small-bayesian-models",
          [] {
            return curveChains<HmcOptions>(
                {.step_size = 0.01, .leapfrog_steps = 30, .warm_up = 300, .jitter = 0.05},
                {.chains = 4, .draws = 1000, .kept = 250});
          }};
}

RegressionMethodInfo metropolisMethod() {
  return {"mh",
          "Metropolis",
          "Draws networks from the posterior by small random steps, accepted or "
          "rejected. Too slow for hundreds of weights: watch R-hat.",
          "q' = q + s z, z ~ N(0, I); accept with min(1, p(q' | D)/p(q | D))",
          "9-small-bayesian-models",
          [] {
            return curveChains<MetropolisOptions>(
                {.step_size = 0.01, .target_acceptance = 0.234, .warm_up = 10000},
                {.chains = 4, .draws = 50000, .kept = 250});
          }};
}

RegressionMethodInfo sgldMethod() {
  return {"sgld",
          "SGLD",
          "Gradient descent on mini-batches with added noise. Without rejection, so "
          "its error depends on the step size.",
          "q ← q + εₜ/2 (∇ln p(q) + N/n Σᵢ ∇ln p(yᵢ | q)) + N(0, εₜ)",
          "9-small-bayesian-models",
          [] {
            return curveChains<SgldOptions>(
                {.step_size = 5e-5, .decay = 0.33, .delay = 20000.0, .batch = 32, .warm_up = 5000},
                {.chains = 4, .draws = 40000, .kept = 250});
          }};
}

}  // namespace dubito
