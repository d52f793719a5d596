// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/base/expected.h"
#include "core/base/rank_group.h"
#include "core/base/run_context.h"

namespace dubito::cli {

/// Process exit codes.
enum ExitCode { kSuccess = 0, kFailure = 1, kUsage = 2, kCancelled = 130 };

/// Error for an invalid combination of arguments that the parser cannot detect; the program exits
/// with kUsage.
[[nodiscard]] inline tl::unexpected<Error> usageError(std::string message) {
  return fail(ErrorCode::kUsage, std::move(message));
}

/// As above, for options that core found invalid.
[[nodiscard]] inline tl::unexpected<Error> usageError(Error error) {
  error.code = ErrorCode::kUsage;
  return tl::unexpected<Error>(std::move(error));
}

/// Collective over RunContext::ranks: if any process failed, all return the same error, so that
/// none waits for a failed one.
template <class T>
[[nodiscard]] Status agreeOnFailure(const RunContext& context, const Expected<T>& result) {
  const Status mine = result ? Status() : Status(failWith(result));
  return context.ranks ? agree(*context.ranks, mine) : mine;
}

/// Implementation of a subcommand, to run after its arguments are parsed.
struct Command {
  std::function<Status(RunContext&)> run;
  /// Whether several processes can share the work (RunContext::ranks). Other commands report an
  /// error when started with more than one process.
  bool shares_work = false;
};

// Each declares its arguments on `app`, the CLI11 parser of its subcommand.
[[nodiscard]] Command autolabelCommand(CLI::App& app);
[[nodiscard]] Command conformalCommand(CLI::App& app);
[[nodiscard]] Command contextCommand(CLI::App& app);
[[nodiscard]] Command convertCommand(CLI::App& app);
[[nodiscard]] Command devicesCommand(CLI::App& app);
[[nodiscard]] Command dirichletCommand(CLI::App& app);
[[nodiscard]] Command evaluateCommand(CLI::App& app);
[[nodiscard]] Command reviewCommand(CLI::App& app);
[[nodiscard]] Command selectCommand(CLI::App& app);
[[nodiscard]] Command tuneCommand(CLI::App& app);
[[nodiscard]] Command uciCommand(CLI::App& app);

// As above, with two implementations: networks/ in dubito-cli-networks, and handed_over.cpp in
// dubito-cli, which executes dubito-cli-networks.
[[nodiscard]] Command inspectCommand(CLI::App& app);
[[nodiscard]] Command labCommand(CLI::App& app);
[[nodiscard]] Command laplaceCommand(CLI::App& app);
[[nodiscard]] Command predictCommand(CLI::App& app);
[[nodiscard]] Command studyCommand(CLI::App& app);
[[nodiscard]] Command trainCommand(CLI::App& app);
[[nodiscard]] Command whyCommand(CLI::App& app);

}  // namespace dubito::cli
