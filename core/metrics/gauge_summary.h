// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/io/run.h"

namespace dubito {

/// One honesty gauge (approximation error) over all items of a run.
struct GaugeStatistics {
  std::int64_t n = 0;  ///< items with a value
  double mean = 0.0;
  double max = 0.0;
};

/// Approximation errors of the closed forms over a whole run (HonestyGauge).
struct GaugeSummary {
  GaugeStatistics bridge;                     ///< of max_k |p_bridge - p_mc|, in [0, 1]
  GaugeStatistics probit;                     ///< of max_k |p_probit - p_mc|, in [0, 1]
  std::optional<GaugeStatistics> divergence;  ///< of the KL divergence in nats; three classes only
};

/// Nothing if the run has no gauge.
[[nodiscard]] std::optional<GaugeSummary> summariseGauge(const Run& run);

}  // namespace dubito
