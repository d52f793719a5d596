// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/sampling/log_density.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// A point of Hamiltonian dynamics with what is known there.
struct PhasePoint {
  std::vector<double> position;  ///< [D]
  std::vector<double> momentum;  ///< [D]
  std::vector<double> gradient;  ///< [D] d ln p/dq at `position`
  double log_density = 0.0;      ///< ln p at `position`
};

/// sum p_d^2 inverse_mass_d / 2. `inverse_mass` [D] is the inverse of a diagonal mass; empty: 1.
[[nodiscard]] double kineticEnergyOf(std::span<const double> momentum,
                                     std::span<const double> inverse_mass);
/// H = -ln p(q) + kineticEnergyOf(p).
[[nodiscard]] double energyOf(const PhasePoint& point, std::span<const double> inverse_mass);

/// `steps` leapfrog steps of size `step` (negative: backwards in time): half a step of the
/// momentum, full steps of position and momentum in turn, half a step of the momentum. Reversible
/// and volume-preserving. Stops at the first point whose density is 0 or not finite, which is then
/// returned with log_density -inf. Appends each new point to `path` unless that is null.
[[nodiscard]] PhasePoint leapfrog(const LogDensity& density, PhasePoint start,
                                  std::span<const double> inverse_mass, double step,
                                  std::int64_t steps, TransitionPath* path = nullptr);

/// Appends position and energies of `point` to `path`.
void appendPoint(TransitionPath& path, const PhasePoint& point,
                 std::span<const double> inverse_mass);

}  // namespace dubito
