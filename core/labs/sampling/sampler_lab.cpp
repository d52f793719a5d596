// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sampler_lab.h"

#include <cmath>
#include <utility>

#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/bayes_by_backprop.h"
#include "core/labs/sampling/hmc.h"
#include "core/labs/sampling/metropolis.h"
#include "core/labs/sampling/sgld.h"

namespace dubito {
namespace {

/// Kept states of a chain at which every other one is dropped.
constexpr std::size_t kMaxKeptStates = 2000;

/// In the middle half of the picture, so that chains start apart.
std::array<double, 2> randomPlace(const SamplerTarget& target, std::uint64_t seed,
                                  std::uint64_t chain) {
  std::array<double, 2> shares{};
  KeyedRandom(seed, LabSite::kStartingPoint, chain).uniforms(0, shares);
  const auto inMiddle = [](Interval range, double share) {
    return range.low + (0.25 + 0.5 * share) * (range.high - range.low);
  };
  return {inMiddle(target.shown_x, shares[0]), inMiddle(target.shown_y, shares[1])};
}

std::unique_ptr<MarkovChain> makeLabChain(const SamplerLabOptions& options,
                                          const SamplerTarget& target,
                                          const std::array<double, 2>& place, std::uint64_t seed,
                                          std::uint64_t chain) {
  const std::vector<double> start(place.begin(), place.end());
  if (options.sampler == "hmc") {
    const HmcOptions hmc{.step_size = options.step_size,
                         .leapfrog_steps = options.leapfrog_steps,
                         .adapt = options.adapt,
                         .target_acceptance = options.target_acceptance,
                         .warm_up = options.warm_up};
    return std::make_unique<HmcChain>(target.density, hmc, start, seed, chain);
  }
  if (options.sampler == "metropolis") {
    const MetropolisOptions metropolis{
        .step_size = options.step_size, .adapt = options.adapt, .warm_up = options.warm_up};
    return std::make_unique<MetropolisChain>(target.density, metropolis, start, seed, chain);
  }
  const SgldOptions langevin{
      .step_size = options.step_size, .decay = 0.0, .warm_up = options.warm_up};
  return std::make_unique<SgldChain>(exactGradient(target.density), langevin, start, seed, chain);
}

std::vector<std::string> targetKeys() {
  std::vector<std::string> keys;
  for (const SamplerTargetInfo& info : samplerTargets()) {
    keys.emplace_back(info.key);
  }
  return keys;
}

}  // namespace

std::vector<Field> SamplerLabOptions::fields() {
  const bool is_langevin = sampler == "langevin";
  return {
      field(&density, "density", "Density", "what the chains draw from", {.choices = targetKeys()}),
      field(&correlation, "correlation", "Correlation", "correlation of the Gaussian",
            {.min = -0.999,
             .max = 0.999,
             .unmet_requirement =
                 allUnless(density == "gaussian", {setting("density", "gaussian")})}),
      field(&sampler, "sampler", "Sampler", "how a chain moves",
            {.choices = {"hmc", "metropolis", "langevin"}}),
      field(&step_size, "step_size", "Step size",
            "size of a leapfrog step or a proposal, variance of a step of Langevin dynamics",
            {.min = 1e-6, .max = 1e3}),
      field(&leapfrog_steps, "leapfrog_steps", "Leapfrog steps", "steps of a trajectory",
            {.min = 1,
             .max = 1000,
             .unmet_requirement = allUnless(sampler == "hmc", {setting("sampler", "hmc")})}),
      field(&adapt, "adapt", "Adapt step size",
            "change the step size in the warm-up until the acceptance is good",
            {.unmet_requirement =
                 allUnless(!is_langevin, {setting("sampler", "hmc or metropolis")})}),
      field(&target_acceptance, "target_acceptance", "Target acceptance",
            "mean acceptance that the warm-up of HMC aims at",
            {.min = 0.05,
             .max = 0.99,
             .unmet_requirement = allUnless(sampler == "hmc" && adapt,
                                            {setting("sampler", "hmc"), setting("adapt")}),
             .advanced = true}),
      field(&warm_up, "warm_up", "Warm-up", "transitions per chain that are not used as draws",
            {.min = 0, .max = 1e6}),
      field(&chains, "chains", "Chains", "independent chains; R-hat needs two",
            {.min = 1, .max = 16}),
  };
}

Status SamplerLabOptions::check() const {
  return checkFields(SamplerLabOptions(*this).fields());
}

Expected<SamplerLab> SamplerLab::start(const SamplerLabOptions& options, std::uint64_t seed,
                                       std::optional<std::array<double, 2>> place) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  SamplerTarget target = findSamplerTarget(options.density)->make(options.correlation);
  std::vector<std::unique_ptr<MarkovChain>> chains;
  for (std::int64_t c = 0; c < options.chains; ++c) {
    const auto chain = static_cast<std::uint64_t>(c);
    chains.push_back(makeLabChain(options, target, place.value_or(randomPlace(target, seed, chain)),
                                  seed, chain));
    if (const Status checked = checkStart(*target.density, chains.back()->position()); !checked) {
      return failWith(checked);
    }
  }
  return SamplerLab(options, std::move(target), std::move(chains));
}

SamplerLab::SamplerLab(SamplerLabOptions options, SamplerTarget target,
                       std::vector<std::unique_ptr<MarkovChain>> chains)
    : options_(std::move(options)),
      target_(std::move(target)),
      chains_(std::move(chains)),
      records_(chains_.size()) {}

Status SamplerLab::advance(std::int64_t transitions, RunContext& context) {
  if (transitions < 1) {
    return {};
  }
  const auto observer = [this](std::int64_t chain, const Transition& transition) {
    observe(chain, transition);
  };
  if (Status advanced = advanceChains(chains_, transitions - 1, observer, context); !advanced) {
    return advanced;
  }
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    observe(static_cast<std::int64_t>(c), chains_[c]->advance(c == 0 ? &path_ : nullptr));
  }
  return {};
}

void SamplerLab::observe(std::int64_t chain, const Transition& transition) {
  const MarkovChain& state = *chains_[static_cast<std::size_t>(chain)];
  Record& record = records_[static_cast<std::size_t>(chain)];
  record.statistics.add(transition);
  const std::int64_t draw = state.done() - options_.warm_up;
  if (draw <= 0 || draw % record.thinning != 0) {
    return;
  }
  const auto position = state.position();
  record.states.insert(record.states.end(), position.begin(), position.end());
  if (record.states.size() < 2 * kMaxKeptStates) {
    return;
  }
  // Keeps the states whose number is a multiple of the new thinning.
  record.thinning *= 2;
  for (std::size_t i = 0; i < kMaxKeptStates / 2; ++i) {
    record.states[2 * i] = record.states[2 * (2 * i + 1)];
    record.states[2 * i + 1] = record.states[2 * (2 * i + 1) + 1];
  }
  record.states.resize(kMaxKeptStates);
}

Expected<MeanField> fittedMeanField(const SamplerTarget& target, std::uint64_t seed,
                                    RunContext& context) {
  const MeanFieldOptions options{
      .steps = 3000, .draws = 16, .learning_rate = 0.02, .initial_std = 0.3};
  BayesByBackprop inference(target.density, options, target.near_mode, seed);
  while (inference.done() < inference.total()) {
    if (context.step("Fitting a Gaussian", inference.done(), inference.total()) == Step::kCancel) {
      return cancelled();
    }
    inference.step(context);
    if (!std::isfinite(inference.loss())) {
      return fail(ErrorCode::kInvalidArgument,
                  "Bayes by Backprop diverges on this density; choose another density");
    }
  }
  return inference.result();
}

}  // namespace dubito
