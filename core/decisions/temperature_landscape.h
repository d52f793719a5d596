// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/decisions/logit_table.h"

namespace dubito {

/// How likelihood and calibration depend on the temperature: one entry a point, ready to plot.
struct TemperatureLandscape {
  std::vector<double> log10_temperature;  ///< ascending
  std::vector<double> nll;                ///< nats
  std::vector<double> ece;                ///< kCalibrationBins, L1, equal width, top-label
};

/// The landscape at `points` >= 2 temperatures, evenly spread over the decades from `low` to `high`
/// (both > 0, low < high, both met). kInvalidArgument where the table has no row, kCancelled.
[[nodiscard]] Expected<TemperatureLandscape> temperatureLandscape(const LogitTable& table,
                                                                  double low, double high,
                                                                  int points, RunContext& context);

}  // namespace dubito
