// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "app/cli/command.h"
#include "app/cli/terminal_progress.h"

namespace dubito::cli {

/// A subcommand.
struct CommandInfo {
  const char* name;
  const char* help;                   ///< one line for the list in --help
  Command (*declare)(CLI::App& app);  ///< called only if the subcommand was chosen
};

/// Thrown by CommandInfo::declare if this program does not contain the command (handed_over.cpp),
/// and by an option that it cannot carry out.
struct HandedOver {
  std::string command;
};

/// Name of the program that contains all commands. After a HandedOver exception, runProgram
/// executes it with the same arguments, in place of this program.
inline constexpr const char* kNetworksProgram = "dubito-cli-networks";

/// A command whose arguments are parsed, with its names in messages.
struct ParsedCommand {
  std::string program = "dubito-cli";
  std::string name;
  Command command;
  int threads = 0;  ///< of a command without an option --threads of its own; 0: all
};

/// Runs a command until it ends or is interrupted, alone or as one of the processes that mpirun or
/// srun started; reports progress and failure on standard error. Returns the exit code.
[[nodiscard]] int runCommand(const ParsedCommand& parsed, ProgressStyle style);

/// main() of the command line: parses, runs one of `commands` and returns the exit code.
[[nodiscard]] int runProgram(int argc, char** argv, const std::string& version,
                             std::span<const CommandInfo> commands);

}  // namespace dubito::cli
