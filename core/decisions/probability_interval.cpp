// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/probability_interval.h"

#include <vector>

#include "core/decisions/run_dirichlets.h"
#include "core/measures/beta_distribution.h"
#include "core/measures/dirichlet.h"

namespace dubito {

std::optional<Interval> probabilityInterval(const Run& run, std::int64_t i, std::int64_t k,
                                            double level) {
  const auto dirichlets = RunDirichlets::of(run, "run", "auto");
  if (!dirichlets) {
    return std::nullopt;
  }
  const std::vector<double> alpha = dirichlets->alpha(i);
  const auto at = static_cast<std::size_t>(k);
  const double rest = summariseDirichlet(alpha).rest[at];
  const double tail = 0.5 * (1.0 - level);
  return Interval{betaQuantile(alpha[at], rest, tail).x(),
                  betaQuantile(alpha[at], rest, 1.0 - tail).x()};
}

}  // namespace dubito
