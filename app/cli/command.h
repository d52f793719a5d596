// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "core/base/expected.h"
#include "core/base/memory_budget.h"
#include "core/base/rank_group.h"
#include "core/base/run_context.h"

namespace dubito::cli {

/// What the program ends with.
enum ExitCode { kSuccess = 0, kFailure = 1, kUsage = 2, kCancelled = 130 };

/// A wrong combination of arguments that the parser alone cannot see; ends with kUsage.
[[nodiscard]] inline tl::unexpected<Error> usageError(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message), "usage");
}

/// Several processes fail together: none waits for another that has given up.
template <class T>
[[nodiscard]] Status together(const RunContext& context, const Expected<T>& result) {
  const Status mine = result ? Status() : Status(failWith(result));
  return context.ranks ? agree(*context.ranks, mine) : mine;
}

/// One subcommand: where its arguments were declared, and what it does with them.
struct Command {
  CLI::App* app = nullptr;
  std::function<Status(RunContext&)> run;
  /// Whether several processes can share the work (RunContext::ranks); others refuse to be started
  /// so.
  bool shares_work = false;
};

// Each declares its arguments under `parent`; in this order they are listed by --help.
[[nodiscard]] Command devicesCommand(CLI::App& parent);
[[nodiscard]] Command inspectCommand(CLI::App& parent);
[[nodiscard]] Command predictCommand(CLI::App& parent);
[[nodiscard]] Command laplaceCommand(CLI::App& parent);
[[nodiscard]] Command evaluateCommand(CLI::App& parent);
[[nodiscard]] Command conformalCommand(CLI::App& parent);
[[nodiscard]] Command dirichletCommand(CLI::App& parent);
[[nodiscard]] Command selectCommand(CLI::App& parent);
[[nodiscard]] Command tuneCommand(CLI::App& parent);
[[nodiscard]] Command trainCommand(CLI::App& parent);
[[nodiscard]] Command convertCommand(CLI::App& parent);

/// --device, --threads, --seed and --memory of the commands that compute.
struct ComputeFlags {
  std::string device = "cpu";
  int threads = 0;  ///< 0: as many as the machine has
  std::uint64_t seed = 0;
  MemoryOptions memory;

  void declare(CLI::App& app);
  [[nodiscard]] Status apply(RunContext& context) const;
};

}  // namespace dubito::cli
