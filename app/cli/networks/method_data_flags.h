// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/run_input.h"
#include "core/inference/fitting/method_data.h"

namespace dubito::cli {

/// Data to fit methods on: --fit, --calibration, --posterior and --allow-same-split.
class MethodDataFlags {
 public:
  void declare(CLI::App& app);
  /// Usage error if a given flag is not among the inputs that `method` uses (`used`).
  [[nodiscard]] Status check(const MethodOptions& method, const MethodNeeds& used) const;
  [[nodiscard]] bool calibrates() const { return !calibration_.empty(); }
  [[nodiscard]] bool calibratesOnRun() const;
  /// Opens the given data, for a method that will predict `evaluated` (may be null).
  [[nodiscard]] Expected<MethodData> open(DatasetPtr evaluated, const RunInput& input,
                                          RunContext& context) const;

 private:
  std::string fit_;
  std::string calibration_;
  std::string posterior_;
  bool allow_same_split_ = false;
};

}  // namespace dubito::cli
