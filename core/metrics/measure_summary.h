// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/measure.h"

namespace dubito {

/// Statistics of one measure over the items of a run.
struct MeasureSummary {
  Measure measure = Measure::kConfidence;
  std::int64_t items = 0;  ///< number of items with a value
  double mean = 0.0;       ///< in the measure's unit
  double min = 0.0;
  double max = 0.0;
};

/// Statistics of all measures of the run, in the order of allMeasures(); measures without any value
/// are left out. kCancelled.
[[nodiscard]] Expected<std::vector<MeasureSummary>> summariseMeasures(const Run& run,
                                                                      const RunContext& context);

/// {"entropy": {"unit": "nats", "items": 100, "mean": ..., "min": ..., "max": ...}, ...}
[[nodiscard]] nlohmann::json toJson(const std::vector<MeasureSummary>& measures);

}  // namespace dubito
