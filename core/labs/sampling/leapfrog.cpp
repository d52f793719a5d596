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

}  // namespace dubito
