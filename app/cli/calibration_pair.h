// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/run_input.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito::cli {

/// Appends those of `more` that `notes` lacks.
void addMissing(const std::vector<std::string>& more, std::vector<std::string>& notes);

/// A run, and the run over other items of the same method that something is chosen on.
struct CalibrationPair {
  Run run;
  Run calibration;
  std::vector<std::string> notes;  ///< of both, and of how they belong together
  /// Whether what is promised on one holds on the other: no shared items, one method.
  bool comparable = true;
};

/// The arguments RUN, --calibration RUN, --allow-same-split and --verify.
struct CalibrationPairFlags {
  std::string run;
  std::string calibration;
  bool allow_same_split = false;
  RunInput input;

  enum class Calibration { kRequired, kOptional };
  void declare(CLI::App& app, Calibration wanted = Calibration::kRequired);
  /// Opens both. Runs that share items are refused unless that is allowed, and noted then.
  [[nodiscard]] Expected<CalibrationPair> open(RunContext& context) const;
  /// Puts into the object of a result which runs it rests on: "run", "calibration"/"run",
  /// "allow_same_split" and "notes".
  void tell(const CalibrationPair& pair, nlohmann::json& object) const;
};

}  // namespace dubito::cli
