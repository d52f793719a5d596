// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

#include "core/labs/sampling/leapfrog.h"
#include "core/labs/sampling/log_density.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// Step size of the trajectories of one chain: given, or adapted by dual averaging in the warm-up
/// (Hoffman and Gelman 2014, algorithms 4 to 6).
class LeapfrogStepSize {
 public:
  /// `step_size` > 0. `target_acceptance` in (0, 1): mean acceptance to adapt to; nullopt: the step
  /// size stays.
  LeapfrogStepSize(double step_size, std::optional<double> target_acceptance);

  /// To be called in the warm-up before each trajectory from `state`, whose momentum is drawn.
  /// The first time, replaces the step size by a first guess.
  void prepare(const LogDensity& density, const PhasePoint& state,
               std::span<const double> inverse_mass);
  /// Of the next trajectory, in the warm-up or after it.
  [[nodiscard]] double value(bool is_warm_up) const;
  /// To be called in the warm-up with the acceptance of each transition, in [0, 1].
  void update(double acceptance);
  /// Adapts anew from the present step size: the mass is another.
  void restart() { averaging_.reset(); }

 private:
  /// Doubles or halves the step size until one leapfrog step is accepted with about 1/2.
  [[nodiscard]] double firstGuess(const LogDensity& density, const PhasePoint& state,
                                  std::span<const double> inverse_mass) const;

  double requested_;
  std::optional<double> target_acceptance_;
  double settled_;  ///< mean of the adaptation so far
  std::optional<DualAveraging> averaging_;
};

}  // namespace dubito
