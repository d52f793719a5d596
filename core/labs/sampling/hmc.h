// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/leapfrog.h"
#include "core/labs/sampling/leapfrog_step_size.h"
#include "core/labs/sampling/log_density.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// Options of Hamiltonian Monte Carlo (theory, section 9).
struct HmcOptions {
  /// Leapfrog step size, > 0; with `adapt` only the first guess.
  double step_size = 0.1;
  /// Leapfrog steps per transition, >= 1.
  std::int64_t leapfrog_steps = 20;
  /// Whether the warm-up adapts the step size to `target_acceptance`.
  bool adapt = true;
  /// Whether the warm-up also sets a diagonal mass to the inverse variances of its states.
  bool adapt_mass = false;
  /// Mean acceptance to adapt to, in (0, 1).
  double target_acceptance = 0.65;
  /// Transitions that adapt and are not draws, >= 0.
  std::int64_t warm_up = 500;
  /// Each transition multiplies the step size by a number from [1 - jitter, 1 + jitter], so that
  /// no trajectory length can be a period of the dynamics; in [0, 1).
  double jitter = 0.1;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// One chain of Hamiltonian Monte Carlo: momenta N(0, mass), a leapfrog trajectory, acceptance with
/// min(1, exp(H0 - H1)).
class HmcChain : public MarkovChain {
 public:
  /// The caller has called options.check() and checkStart(). `start` [D]. `inverse_mass` [D], each
  /// > 0; empty: 1.
  HmcChain(std::shared_ptr<const LogDensity> density, const HmcOptions& options,
           std::vector<double> start, std::uint64_t seed, std::uint64_t chain,
           std::vector<double> inverse_mass = {});

  Transition advance(TransitionPath* path) override;
  [[nodiscard]] std::span<const double> position() const override { return state_.position; }
  [[nodiscard]] double logDensity() const override { return state_.log_density; }
  [[nodiscard]] double stepSize() const override;
  [[nodiscard]] std::int64_t done() const override { return done_; }
  [[nodiscard]] std::span<const double> inverseMass() const { return inverse_mass_; }

 private:
  void drawMomentum();
  void adapt(double acceptance);
  void countForMass();
  void setMass();

  std::shared_ptr<const LogDensity> density_;
  HmcOptions options_;
  KeyedRandom momenta_;
  KeyedRandom jitters_;
  KeyedRandom acceptances_;
  std::vector<double> inverse_mass_;
  PhasePoint state_;
  std::int64_t done_ = 0;
  LeapfrogStepSize step_size_;
  // Running moments of the states from which the mass is set (Welford).
  std::int64_t counted_ = 0;
  std::vector<double> mean_;
  std::vector<double> squares_;
};

}  // namespace dubito
