// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string result = "\"";
  for (const char c : text) {
    result += c == '"' ? "\"\"" : std::string(1, c);
  }
  return result + '"';
}

}  // namespace

std::string metricsCsv(const Evaluation& evaluation) {
  std::string csv = "group,metric,score,value\n";
  for (const MetricRow& row : toRows(evaluation)) {
    csv += fmt::format("{},{},{},{}\n", quoted(row.group), quoted(row.name), quoted(row.score),
                       row.value);
  }
  return csv;
}

}  // namespace dubito
