// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/leapfrog.h"

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

double kineticEnergyOf(std::span<const double> momentum, std::span<const double> inverse_mass) {
  double kinetic = 0.0;
  for (std::size_t d = 0; d < momentum.size(); ++d) {
    kinetic += 0.5 * momentum[d] * momentum[d] * inverseMassAt(inverse_mass, d);
  }
  return kinetic;
}

double energyOf(const PhasePoint& point, std::span<const double> inverse_mass) {
  return kineticEnergyOf(point.momentum, inverse_mass) - point.log_density;
}

PhasePoint leapfrog(const LogDensity& density, PhasePoint start,
                    std::span<const double> inverse_mass, double step, std::int64_t steps,
                    TransitionPath* path) {
  PhasePoint point = std::move(start);
  pushMomentum(point, 0.5 * step);
  for (std::int64_t i = 0; i < steps; ++i) {
    for (std::size_t d = 0; d < point.position.size(); ++d) {
      point.position[d] += step * inverseMassAt(inverse_mass, d) * point.momentum[d];
    }
    point.log_density = density.evaluate(point.position, point.gradient);
    if (path != nullptr) {
      // Between two steps the momentum is half a step behind the position.
      PhasePoint whole = point;
      pushMomentum(whole, 0.5 * step);
      appendPoint(*path, whole, inverse_mass);
    }
    if (!std::isfinite(point.log_density)) {
      point.log_density = -std::numeric_limits<double>::infinity();
      return point;
    }
    pushMomentum(point, i + 1 < steps ? step : 0.5 * step);
  }
  return point;
}

void appendPoint(TransitionPath& path, const PhasePoint& point,
                 std::span<const double> inverse_mass) {
  path.points.insert(path.points.end(), point.position.begin(), point.position.end());
  path.potential.push_back(-point.log_density);
  path.kinetic.push_back(kineticEnergyOf(point.momentum, inverse_mass));
}

}  // namespace dubito
