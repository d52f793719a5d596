// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/io/csv_field.h"
#include "core/metrics/evaluation.h"

namespace dubito {
std::string metricsCsv(const Evaluation& evaluation) {
  std::string csv = "group,metric,score,value\n";
  for (const MetricRow& row : toRows(evaluation)) {
    csv += fmt::format("{},{},{},{}\n", csvField(row.group), csvField(row.name),
                       csvField(row.score), row.value);
  }
  return csv;
}

}  // namespace dubito
