// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/leapfrog_step_size.h"

#include <cmath>

namespace dubito {
namespace {

/// Doublings or halvings of the first guess, at most: 2^60 covers any sensible scale.
constexpr int kMaxGuesses = 60;

}  // namespace

LeapfrogStepSize::LeapfrogStepSize(double step_size, std::optional<double> target_acceptance)
    : requested_(step_size), target_acceptance_(target_acceptance), settled_(step_size) {}

void LeapfrogStepSize::prepare(const LogDensity& density, const PhasePoint& state,
                               std::span<const double> inverse_mass) {
  if (target_acceptance_ && !averaging_) {
    averaging_.emplace(firstGuess(density, state, inverse_mass), *target_acceptance_);
  }
}

double LeapfrogStepSize::value(bool is_warm_up) const {
  return averaging_ && is_warm_up ? averaging_->step() : settled_;
}

void LeapfrogStepSize::update(double acceptance) {
  if (averaging_) {
    averaging_->update(acceptance);
    settled_ = averaging_->averaged();
  }
}

double LeapfrogStepSize::firstGuess(const LogDensity& density, const PhasePoint& state,
                                    std::span<const double> inverse_mass) const {
  const double energy = energyOf(state, inverse_mass);
  const auto isAcceptable = [&](double size) {
    const PhasePoint end = leapfrog(density, state, inverse_mass, size, 1);
    return energy - energyOf(end, inverse_mass) > std::log(0.5);
  };
  double step = settled_;
  const bool grows = isAcceptable(step);
  for (int i = 0; i < kMaxGuesses; ++i) {
    const double next = grows ? 2.0 * step : 0.5 * step;
    if (isAcceptable(next) != grows) {
      return grows ? step : next;
    }
    step = next;
  }
  // Nothing bounds the step (a flat density) or nothing is acceptable: keep the requested step.
  return requested_;
}

}  // namespace dubito
