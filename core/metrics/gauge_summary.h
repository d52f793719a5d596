// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/io/run.h"

namespace dubito {

/// Statistics of one honesty gauge (approximation error) over the items of a run.
struct GaugeStatistics {
  std::int64_t n = 0;  ///< items with a value
  double mean = 0.0;
  double max = 0.0;
};

/// Statistics of all honesty gauges of a run (HonestyGauge), each an approximation error of a
/// closed form.
struct GaugeSummary {
  GaugeStatistics bridge;                     ///< of max_k |p_bridge - p_mc|, in [0, 1]
  GaugeStatistics probit;                     ///< of max_k |p_probit - p_mc|, in [0, 1]
  std::optional<GaugeStatistics> divergence;  ///< of the KL divergence in nats; three classes only
};

/// The statistics of the gauges of `run`; nullopt if it has none.
[[nodiscard]] std::optional<GaugeSummary> summariseGauge(const Run& run);

}  // namespace dubito
