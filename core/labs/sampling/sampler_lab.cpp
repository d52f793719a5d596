// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sampler_lab.h"

#include <cmath>
#include <utility>

#include "core/base/info_keys.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/bayes_by_backprop.h"

namespace dubito {
namespace {

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

/// "hmc, nuts or metropolis": the samplers for which `has` is true.
std::string samplersWith(bool LabSamplerInfo::*has) {
  std::vector<std::string> keys;
  for (const LabSamplerInfo& info : labSamplers()) {
    if (info.*has) {
      keys.emplace_back(info.key);
    }
  }
  std::string text = keys.front();
  for (std::size_t i = 1; i < keys.size(); ++i) {
    text += (i + 1 < keys.size() ? ", " : " or ") + keys[i];
  }
  return text;
}

}  // namespace

std::vector<Field> SamplerLabOptions::fields() {
  const LabSamplerInfo* const info = findLabSampler(sampler);
  // An unknown sampler is reported by its own field.
  const auto setIf = [info](bool LabSamplerInfo::*has) {
    return allUnless(info == nullptr || info->*has, {setting("sampler", samplersWith(has))});
  };
  Requirement target_acceptance_setting = setIf(&LabSamplerInfo::has_target_acceptance);
  if (!adapt) {
    target_acceptance_setting.settings.push_back(setting("adapt"));
  }
  return {
      field(&density, "density", "Density", "what the chains draw from",
            {.choices = infoKeys(samplerTargets())}),
      field(&correlation, "correlation", "Correlation", "correlation of the Gaussian",
            {.min = -0.999,
             .max = 0.999,
             .unmet_requirement =
                 allUnless(density == "gaussian", {setting("density", "gaussian")})}),
      field(&sampler, "sampler", "Sampler", "how a chain moves",
            {.choices = infoKeys(labSamplers())}),
      field(&step_size, "step_size", "Step size",
            "size of a leapfrog step or a proposal, variance of a step of Langevin dynamics",
            {.min = 1e-6, .max = 1e3}),
      field(
          &leapfrog_steps, "leapfrog_steps", "Leapfrog steps", "steps of a trajectory",
          {.min = 1, .max = 1000, .unmet_requirement = setIf(&LabSamplerInfo::has_leapfrog_steps)}),
      field(&adapt, "adapt", "Adapt step size",
            "change the step size in the warm-up until the acceptance is good",
            {.unmet_requirement = setIf(&LabSamplerInfo::has_acceptance)}),
      field(&target_acceptance, "target_acceptance", "Target acceptance",
            "mean acceptance that the warm-up of HMC and NUTS aims at",
            {.min = 0.05,
             .max = 0.99,
             .unmet_requirement = std::move(target_acceptance_setting),
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
    const std::array<double, 2> from = place.value_or(randomPlace(target, seed, chain));
    chains.push_back(findLabSampler(options.sampler)
                         ->make(options, target, {from.begin(), from.end()}, seed, chain));
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
  if (draw <= 0) {
    record.warm_up.add(state.done(), state.position());
  } else {
    record.draws.add(draw, state.position());
  }
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
