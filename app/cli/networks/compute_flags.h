// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "app/cli/networks/confine_flags.h"
#include "core/base/expected.h"
#include "core/base/memory_budget.h"
#include "core/base/run_context.h"

namespace dubito::cli {

/// The flags --device, --threads, --seed and --memory, and those that confine the process.
struct ComputeFlags {
  std::string device = "cpu";
  int threads = 0;  ///< 0: all CPU threads of the machine
  std::uint64_t seed = 0;
  MemoryOptions memory;
  ConfineFlags confine;

  /// `with_seed`: whether the command has one seed; others read theirs elsewhere.
  void declare(CLI::App& app, bool with_seed = true);
  /// Sets device, threads, seed and memory budget of `context`, and confines the process on
  /// request: call it before any file is opened.
  [[nodiscard]] Status apply(RunContext& context) const;
};

}  // namespace dubito::cli
