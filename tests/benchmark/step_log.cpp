// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmark/step_log.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

namespace dubito {
namespace {

double memoryMb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) {
      return std::strtod(line.c_str() + std::strlen("RssAnon:"), nullptr) / 1024.0;
    }
  }
  return std::nan("");
}

double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

void StepLog::note(const char* name, const std::vector<double>& milliseconds) {
  nlohmann::json step = {{"name", name},
                         {"anonymous_mb", std::round(memoryMb())},
                         {"longest_event_ms", std::exchange(application_.longest_event_ms, 0.0)}};
  if (milliseconds.size() == 1) {
    step["ms"] = milliseconds.front();
  } else if (!milliseconds.empty()) {
    step["count"] = milliseconds.size();
    step["median_ms"] = percentile(milliseconds, 0.5);
    step["p95_ms"] = percentile(milliseconds, 0.95);
    step["max_ms"] = percentile(milliseconds, 1.0);
  }
  std::fprintf(stderr, "%s\n", step.dump().c_str());
  result_["steps"].push_back(step);
}

}  // namespace dubito
