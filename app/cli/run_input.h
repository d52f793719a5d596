// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito::cli {

/// How a command reads the runs that it is given: --verify.
struct RunInput {
  bool verify = false;

  CLI::Option* declare(CLI::App& app);
  /// With --verify, compares all of a run file with its checksums (verifyRunFile); files of other
  /// programs have none that are not compared anyway.
  [[nodiscard]] Status check(const std::string& spec, RunContext& context) const;
  /// openPredictions after check().
  [[nodiscard]] Expected<Run> open(const std::string& spec, RunContext& context) const;
};

}  // namespace dubito::cli
