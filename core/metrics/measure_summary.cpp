// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/measure_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace dubito {

Expected<std::vector<MeasureSummary>> summariseMeasures(const Run& run, const RunContext& context) {
  std::vector<MeasureSummary> summaries;
  for (const Measure measure : allMeasures()) {
    const auto values = describe(measure).compute(run, context);
    if (context.cancelRequested()) {
      return cancelled();
    }
    if (!values) {
      continue;
    }
    MeasureSummary summary{.measure = measure,
                           .min = std::numeric_limits<double>::infinity(),
                           .max = -std::numeric_limits<double>::infinity()};
    double sum = 0.0;
    for (const double value : values->values()) {
      if (!std::isnan(value)) {
        ++summary.items;
        sum += value;
        summary.min = std::min(summary.min, value);
        summary.max = std::max(summary.max, value);
      }
    }
    if (summary.items > 0) {
      summary.mean = sum / static_cast<double>(summary.items);
      summaries.push_back(summary);
    }
  }
  return summaries;
}

nlohmann::json toJson(const std::vector<MeasureSummary>& measures) {
  nlohmann::json object = nlohmann::json::object();
  for (const MeasureSummary& summary : measures) {
    const MeasureInfo& info = describe(summary.measure);
    object[info.key] = {{"unit", info.unit},
                        {"items", summary.items},
                        {"mean", summary.mean},
                        {"min", summary.min},
                        {"max", summary.max}};
  }
  return object;
}

}  // namespace dubito
