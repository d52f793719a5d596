// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/hmc.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dubito {
namespace {

double inverseMassAt(std::span<const double> inverse_mass, std::size_t d) {
  return inverse_mass.empty() ? 1.0 : inverse_mass[d];
}

void pushMomentum(PhasePoint& point, double step) {
  for (std::size_t d = 0; d < point.momentum.size(); ++d) {
    point.momentum[d] += step * point.gradient[d];
  }
}

}  // namespace

double energyOf(const PhasePoint& point, std::span<const double> inverse_mass) {
  double kinetic = 0.0;
  for (std::size_t d = 0; d < point.momentum.size(); ++d) {
    kinetic += 0.5 * point.momentum[d] * point.momentum[d] * inverseMassAt(inverse_mass, d);
  }
  return kinetic - point.log_density;
}

PhasePoint leapfrog(const LogDensity& density, PhasePoint start,
                    std::span<const double> inverse_mass, double step, std::int64_t steps,
                    std::vector<double>* path) {
  PhasePoint point = std::move(start);
  pushMomentum(point, 0.5 * step);
  for (std::int64_t i = 0; i < steps; ++i) {
    for (std::size_t d = 0; d < point.position.size(); ++d) {
      point.position[d] += step * inverseMassAt(inverse_mass, d) * point.momentum[d];
    }
    point.log_density = density.evaluate(point.position, point.gradient);
    if (path != nullptr) {
      path->insert(path->end(), point.position.begin(), point.position.end());
    }
    if (!std::isfinite(point.log_density)) {
      point.log_density = -std::numeric_limits<double>::infinity();
      return point;
    }
    pushMomentum(point, i + 1 < steps ? step : 0.5 * step);
  }
  return point;
}

namespace {

/// Doublings or halvings of the first guess, at most: 2^60 covers any sensible scale.
constexpr int kMaxGuesses = 60;

}  // namespace

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
      step_size_(options.step_size) {
  const std::size_t dimension = start.size();
  inverse_mass_.resize(dimension, 1.0);
  state_ = {std::move(start), std::vector<double>(dimension), std::vector<double>(dimension), 0.0};
  state_.log_density = density_->evaluate(state_.position, state_.gradient);
  mean_.assign(dimension, 0.0);
  squares_.assign(dimension, 0.0);
}

double HmcChain::stepSize() const {
  return averaging_ && done_ < options_.warm_up ? averaging_->step() : step_size_;
}

Transition HmcChain::advance(TransitionPath* path) {
  const bool warm_up = done_ < options_.warm_up;
  drawMomentum();
  if (warm_up && options_.adapt && !averaging_) {
    averaging_.emplace(firstGuess(step_size_), options_.target_acceptance);
  }
  const auto draw = static_cast<std::uint32_t>(done_);
  const double factor = 1.0 + options_.jitter * (2.0 * jitters_.uniform(draw) - 1.0);
  if (path != nullptr) {
    path->points.assign(state_.position.begin(), state_.position.end());
  }
  const double energy = energyOf(state_, inverse_mass_);
  PhasePoint proposal =
      leapfrog(*density_, state_, inverse_mass_, factor * stepSize(), options_.leapfrog_steps,
               path == nullptr ? nullptr : &path->points);
  const double error = energyOf(proposal, inverse_mass_) - energy;

  Transition result;
  result.warm_up = warm_up;
  // Negated, so that NaN counts as divergent.
  result.divergent = !(error <= kMaxEnergyError);
  result.acceptance = result.divergent ? 0.0 : std::min(1.0, std::exp(-error));
  result.accepted = acceptances_.uniform(draw) < result.acceptance;
  result.energy = energy;
  if (result.accepted) {
    state_ = std::move(proposal);
  }
  if (path != nullptr) {
    path->accepted = result.accepted;
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

double HmcChain::firstGuess(double step) const {
  const double energy = energyOf(state_, inverse_mass_);
  const auto isAcceptable = [&](double size) {
    const PhasePoint end = leapfrog(*density_, state_, inverse_mass_, size, 1);
    return energy - energyOf(end, inverse_mass_) > std::log(0.5);
  };
  const bool grows = isAcceptable(step);
  for (int i = 0; i < kMaxGuesses; ++i) {
    const double next = grows ? 2.0 * step : 0.5 * step;
    if (isAcceptable(next) != grows) {
      return grows ? step : next;
    }
    step = next;
  }
  // Nothing bounds the step (a flat density) or nothing is acceptable: keep the requested step.
  return options_.step_size;
}

void HmcChain::adapt(double acceptance) {
  if (averaging_) {
    averaging_->update(acceptance);
    step_size_ = averaging_->averaged();
  }
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
  averaging_.reset();
}

}  // namespace dubito
