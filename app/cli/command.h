// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "core/base/expected.h"
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

/// What a subcommand does with its arguments.
struct Command {
  std::function<Status(RunContext&)> run;
  /// Whether several processes can share the work (RunContext::ranks); others refuse to be started
  /// so.
  bool shares_work = false;
};

// Each declares its arguments in `app`, its own part of the parser.
[[nodiscard]] Command autolabelCommand(CLI::App& app);
[[nodiscard]] Command conformalCommand(CLI::App& app);
[[nodiscard]] Command convertCommand(CLI::App& app);
[[nodiscard]] Command devicesCommand(CLI::App& app);
[[nodiscard]] Command dirichletCommand(CLI::App& app);
[[nodiscard]] Command evaluateCommand(CLI::App& app);
[[nodiscard]] Command reviewCommand(CLI::App& app);
[[nodiscard]] Command selectCommand(CLI::App& app);
[[nodiscard]] Command tuneCommand(CLI::App& app);

// The same, of the folder networks in dubito-cli-networks and of handed_over.cpp in dubito-cli.
[[nodiscard]] Command inspectCommand(CLI::App& app);
[[nodiscard]] Command laplaceCommand(CLI::App& app);
[[nodiscard]] Command predictCommand(CLI::App& app);
[[nodiscard]] Command trainCommand(CLI::App& app);

}  // namespace dubito::cli
