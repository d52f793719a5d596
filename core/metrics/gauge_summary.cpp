// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/gauge_summary.h"

#include <algorithm>
#include <cmath>

#include "core/metrics/compensated_sum.h"

namespace dubito {
namespace {

GaugeStatistics statisticsOf(const Array<double>& values) {
  GaugeStatistics statistics;
  CompensatedSum sum;
  for (const double value : values.values()) {
    if (!std::isnan(value)) {
      ++statistics.n;
      sum.add(value);
      statistics.max = std::max(statistics.max, value);
    }
  }
  statistics.mean = sum.value() / static_cast<double>(statistics.n);
  return statistics;
}

}  // namespace

std::optional<GaugeSummary> summariseGauge(const Run& run) {
  if (!run.gauge_bridge || !run.gauge_probit) {
    return std::nullopt;
  }
  GaugeSummary summary{statisticsOf(*run.gauge_bridge), statisticsOf(*run.gauge_probit), {}};
  if (run.gauge_divergence) {
    summary.divergence = statisticsOf(*run.gauge_divergence);
  }
  return summary;
}

}  // namespace dubito
