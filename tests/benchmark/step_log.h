// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/benchmark/paint_clock.h"

namespace dubito {

/// The timed steps of a benchmark of the window, printed as they come and kept as JSON.
class StepLog {
 public:
  explicit StepLog(PaintClock& application) : application_(application) {}

  /// Adds a step with its times, the memory in use and the longest event since the last step.
  void note(const char* name, const std::vector<double>& milliseconds);
  [[nodiscard]] nlohmann::json& result() { return result_; }

 private:
  PaintClock& application_;
  nlohmann::json result_ = nlohmann::json::object();
};

}  // namespace dubito
