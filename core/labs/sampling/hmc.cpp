// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/hmc.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace dubito {

std::vector<Field> HmcOptions::fields() {
  return {
      field(&step_size, "step_size", "Step size",
            "size of a leapfrog step; the first guess if it is adapted", {.min = 1e-8, .max = 1e4}),
      field(&leapfrog_steps, "leapfrog_steps", "Leapfrog steps",
            "steps of a trajectory, each one gradient", {.min = 1, .max = 10000}),
      field(&adapt, "adapt", "Adapt step size",
            "change the step size in the warm-up until the target acceptance is reached"),
      field(&adapt_mass, "adapt_mass", "Adapt mass",
            "set a diagonal mass from the variances of the warm-up", {.advanced = true}),
      field(&target_acceptance, "target_acceptance", "Target acceptance",
            "mean acceptance that the warm-up aims at",
            {.min = 0.05,
             .max = 0.99,
             .unmet_requirement = allUnless(adapt, {setting("adapt")}),
             .advanced = true}),
      field(&warm_up, "warm_up", "Warm-up",
            "transitions per chain that adapt and are not used as draws", {.min = 0, .max = 1e6}),
      field(&jitter, "jitter", "Step jitter",
            "relative random change of the step size in each transition",
            {.min = 0.0, .max = 0.9, .advanced = true}),
  };
}

Status HmcOptions::check() const {
  return checkFields(HmcOptions(*this).fields());
}

HmcChain::HmcChain(std::shared_ptr<const LogDensity> density, const HmcOptions& options,
                   std::vector<double> start, std::uint64_t seed, std::uint64_t chain,
                   std::vector<double> inverse_mass)
    : density_(std::move(density)),
      options_(options),
      momenta_(seed, LabSite::kMomentum, chain),
      jitters_(seed, LabSite::kProposal, chain),
      acceptances_(seed, LabSite::kAcceptance, chain),
      inverse_mass_(std::move(inverse_mass)),
      step_size_(options.step_size,
                 options.adapt ? std::optional(options.target_acceptance) : std::nullopt) {
  const std::size_t dimension = start.size();
  inverse_mass_.resize(dimension, 1.0);
  state_ = {std::move(start), std::vector<double>(dimension), std::vector<double>(dimension), 0.0};
  state_.log_density = density_->evaluate(state_.position, state_.gradient);
  mean_.assign(dimension, 0.0);
  squares_.assign(dimension, 0.0);
}

double HmcChain::stepSize() const {
  return step_size_.value(done_ < options_.warm_up);
}

Transition HmcChain::advance(TransitionPath* path) {
  const bool warm_up = done_ < options_.warm_up;
  drawMomentum();
  if (warm_up) {
    step_size_.prepare(*density_, state_, inverse_mass_);
  }
  const auto draw = static_cast<std::uint32_t>(done_);
  const double factor = 1.0 + options_.jitter * (2.0 * jitters_.uniform(draw) - 1.0);
  if (path != nullptr) {
    *path = {};
    path->momentum = state_.momentum;
    appendPoint(*path, state_, inverse_mass_);
  }
  const double energy = energyOf(state_, inverse_mass_);
  PhasePoint proposal = leapfrog(*density_, state_, inverse_mass_, factor * stepSize(),
                                 options_.leapfrog_steps, path);
  const double error = energyOf(proposal, inverse_mass_) - energy;

  Transition result;
  result.warm_up = warm_up;
  // Negated, so that NaN counts as divergent.
  result.divergent = !(error <= kMaxEnergyError);
  result.acceptance = result.divergent ? 0.0 : std::min(1.0, std::exp(-error));
  result.accepted = acceptances_.uniform(draw) < result.acceptance;
  result.energy = energy;
  result.leapfrog_steps = options_.leapfrog_steps;
  if (result.accepted) {
    state_ = std::move(proposal);
  }
  if (path != nullptr) {
    path->accepted = result.accepted;
    path->end = path->potential.size() - 1;
  }
  if (warm_up) {
    adapt(result.acceptance);
  }
  ++done_;
  return result;
}

void HmcChain::drawMomentum() {
  momenta_.normals(static_cast<std::uint32_t>(done_), state_.momentum);
  for (std::size_t d = 0; d < inverse_mass_.size(); ++d) {
    state_.momentum[d] /= std::sqrt(inverse_mass_[d]);
  }
}

void HmcChain::adapt(double acceptance) {
  step_size_.update(acceptance);
  // The mass comes from the middle half of the warm-up: the first quarter finds the density, the
  // last adapts the step size to the new mass.
  const std::int64_t quarter = options_.warm_up / 4;
  if (options_.adapt_mass && done_ >= quarter && done_ < options_.warm_up - quarter) {
    countForMass();
    if (done_ + 1 == options_.warm_up - quarter) {
      setMass();
    }
  }
}

void HmcChain::countForMass() {
  ++counted_;
  for (std::size_t d = 0; d < mean_.size(); ++d) {
    const double deviation = state_.position[d] - mean_[d];
    mean_[d] += deviation / static_cast<double>(counted_);
    squares_[d] += deviation * (state_.position[d] - mean_[d]);
  }
}

void HmcChain::setMass() {
  // Shrinks towards the present mass, as far as few states (Stan's rule with 5 pseudo-states).
  const auto n = static_cast<double>(counted_);
  if (counted_ < 2) {
    return;
  }
  for (std::size_t d = 0; d < mean_.size(); ++d) {
    const double variance = squares_[d] / (n - 1.0);
    inverse_mass_[d] = (n * variance + 5.0 * 1e-3 * inverse_mass_[d]) / (n + 5.0);
  }
  // Step sizes before the change of the mass say nothing about those after it.
  step_size_.restart();
}

}  // namespace dubito
