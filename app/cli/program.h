// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "app/cli/command.h"

namespace dubito::cli {

/// One subcommand as --help lists it.
struct CommandInfo {
  const char* name;
  const char* help;
  Command (*declare)(CLI::App& app);  ///< called only for the one that was chosen
};

/// What a command's `declare` throws in a program that does not contain the command.
struct HandedOver {
  std::string command;
};

/// The name of the program with all commands, which replaces this one if a command is handed over.
inline constexpr const char* kNetworksProgram = "dubito-cli-networks";

/// main() of the command line: parses, runs one of `commands` and returns the exit code.
[[nodiscard]] int runProgram(int argc, char** argv, const std::string& version,
                             std::span<const CommandInfo> commands);

}  // namespace dubito::cli
