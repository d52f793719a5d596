// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/lab_samplers.h"

#include <utility>

#include "core/base/find_by_key.h"
#include "core/labs/sampling/hmc.h"
#include "core/labs/sampling/metropolis.h"
#include "core/labs/sampling/nuts.h"
#include "core/labs/sampling/sampler_lab.h"
#include "core/labs/sampling/sgld.h"

namespace dubito {
namespace {

std::unique_ptr<MarkovChain> makeHmc(const SamplerLabOptions& options, const SamplerTarget& target,
                                     std::vector<double> start, std::uint64_t seed,
                                     std::uint64_t chain) {
  const HmcOptions hmc{.step_size = options.step_size,
                       .leapfrog_steps = options.leapfrog_steps,
                       .adapt = options.adapt,
                       .target_acceptance = options.target_acceptance,
                       .warm_up = options.warm_up};
  return std::make_unique<HmcChain>(target.density, hmc, std::move(start), seed, chain);
}

std::unique_ptr<MarkovChain> makeNuts(const SamplerLabOptions& options, const SamplerTarget& target,
                                      std::vector<double> start, std::uint64_t seed,
                                      std::uint64_t chain) {
  const NutsOptions nuts{.step_size = options.step_size,
                         .adapt = options.adapt,
                         .target_acceptance = options.target_acceptance,
                         .warm_up = options.warm_up};
  return std::make_unique<NutsChain>(target.density, nuts, std::move(start), seed, chain);
}

std::unique_ptr<MarkovChain> makeMetropolis(const SamplerLabOptions& options,
                                            const SamplerTarget& target, std::vector<double> start,
                                            std::uint64_t seed, std::uint64_t chain) {
  const MetropolisOptions metropolis{
      .step_size = options.step_size, .adapt = options.adapt, .warm_up = options.warm_up};
  return std::make_unique<MetropolisChain>(target.density, metropolis, std::move(start), seed,
                                           chain);
}

std::unique_ptr<MarkovChain> makeLangevin(const SamplerLabOptions& options,
                                          const SamplerTarget& target, std::vector<double> start,
                                          std::uint64_t seed, std::uint64_t chain) {
  const SgldOptions langevin{
      .step_size = options.step_size, .decay = 0.0, .warm_up = options.warm_up};
  return std::make_unique<SgldChain>(exactGradient(target.density), langevin, std::move(start),
                                     seed, chain);
}

}  // namespace

const std::vector<LabSamplerInfo>& labSamplers() {
  static const std::vector<LabSamplerInfo> samplers{
      {.key = "hmc",
       .name = "Hamiltonian Monte Carlo",
       .short_name = "HMC",
       .explanation =
           "A ball rolls over -ln p with a random push and follows the ridge. Steps that are too "
           "large miss the curve, and the proposal is rejected.",
       .has_leapfrog_steps = true,
       .has_target_acceptance = true,
       .make = makeHmc},
      {.key = "nuts",
       .name = "No-U-turn sampler",
       .short_name = "NUTS",
       .explanation =
           "HMC that chooses the length: the trajectory is doubled, forwards or backwards in time, "
           "until it turns back; the new state is drawn from all its points.",
       .has_target_acceptance = true,
       .has_tree_depth = true,
       .make = makeNuts},
      {.key = "metropolis",
       .name = "Random-walk Metropolis",
       .short_name = "Metropolis",
       .explanation =
           "A random step, accepted with probability min(1, p(new)/p(old)). It needs no gradient, "
           "but many steps to go far.",
       .no_energy =
           "Random-walk Metropolis has no momentum: a proposal is one random step, and there is "
           "no kinetic energy to exchange",
       .make = makeMetropolis},
      {.key = "langevin",
       .name = "Langevin dynamics (SGLD)",
       .short_name = "Langevin",
       .explanation =
           "Half a step uphill plus noise, never rejected: fast, but the larger the step, the "
           "wider the result is than the density.",
       .no_energy =
           "Langevin dynamics has no momentum: each step adds new noise, so that no energy is "
           "conserved",
       .has_acceptance = false,
       .make = makeLangevin}};
  return samplers;
}

const LabSamplerInfo* findLabSampler(std::string_view key) {
  return findByKey(labSamplers(), key);
}

}  // namespace dubito
