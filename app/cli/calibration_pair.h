// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/run_input.h"
#include "core/base/expected.h"
#include "core/base/note.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito::cli {

/// Appends the entries of `more` that are not in `notes` yet.
void addMissing(const std::vector<std::string>& more, std::vector<std::string>& notes);
void addMissing(const std::vector<std::string>& more, std::vector<Note>& notes);
void addMissing(const std::vector<Note>& more, std::vector<Note>& notes);

/// A run, and a calibration run of the same method on different items.
struct CalibrationPair {
  Run run;
  Run calibration;
  std::vector<Note> notes;  ///< of both runs and of the pair
  /// Whether guarantees from `calibration` hold for `run`: no shared items, same method.
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
  /// Opens both runs. Runs that share items are an error or, with --allow-same-split, a note.
  [[nodiscard]] Expected<CalibrationPair> open(RunContext& context) const;
  /// Adds to a result the identities of both runs (as "run", and as "run" inside "calibration"),
  /// "allow_same_split" and "notes".
  void addTo(nlohmann::json& object, const CalibrationPair& pair) const;
};

}  // namespace dubito::cli
