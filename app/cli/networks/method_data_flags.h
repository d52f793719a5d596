// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/run_input.h"
#include "core/methods/method_data.h"

namespace dubito::cli {

/// Flags for the data that a method is fitted on: --fit, --calibration, --posterior and
/// --allow-same-split.
class MethodDataFlags {
 public:
  void declare(CLI::App& app);
  /// Usage error if a flag was given for an input that `method` does not use; `used` are the inputs
  /// that it uses.
  [[nodiscard]] Status check(const MethodOptions& method, const MethodNeeds& used) const;
  /// Whether --calibration was given.
  [[nodiscard]] bool calibrates() const { return !calibration_.empty(); }
  /// Whether --calibration names a run, not a dataset.
  [[nodiscard]] bool calibratesOnRun() const;
  /// Opens the given data. `evaluated` is the dataset that will be predicted (may be null).
  [[nodiscard]] Expected<MethodData> open(DatasetPtr evaluated, const RunInput& input,
                                          RunContext& context) const;

 private:
  std::string fit_;
  std::string calibration_;
  std::string posterior_;
  bool allow_same_split_ = false;
};

}  // namespace dubito::cli
