// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito::cli {

/// How a command reads its input runs: --verify, and --labels for those that are evaluated.
struct RunInput {
  bool verify = false;
  std::string labels = {};  ///< label store; empty: the given labels

  CLI::Option* declare(CLI::App& app);
  CLI::Option* declareLabels(CLI::App& app);
  /// With --verify, verifies all checksums of a run file (verifyRunFile). Has no effect on files
  /// from other programs, which store no array checksums.
  [[nodiscard]] Status check(const std::string& spec, RunContext& context) const;
  /// openPredictions after check().
  [[nodiscard]] Expected<Run> open(const std::string& spec, RunContext& context) const;
  /// open(); with --labels, the run has the reviewed labels (relabelled), which its notes name.
  /// Errors of checkLabelsOf, readReviewedLabels and relabelled.
  [[nodiscard]] Expected<Run> openLabelled(const std::string& spec, RunContext& context) const;
};

}  // namespace dubito::cli
