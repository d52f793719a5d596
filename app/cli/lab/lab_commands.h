// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace dubito::cli {

// The subcommands of `lab`, in lab_command.cpp's list. Each declares its arguments in `app`.
[[nodiscard]] Command labBanditCommand(CLI::App& app);
[[nodiscard]] Command labClassificationCommand(CLI::App& app);
[[nodiscard]] Command labDropoutRateCommand(CLI::App& app);
[[nodiscard]] Command labGpCommand(CLI::App& app);
[[nodiscard]] Command labReferralCommand(CLI::App& app);
[[nodiscard]] Command labRegressionCommand(CLI::App& app);
[[nodiscard]] Command labSamplerCommand(CLI::App& app);
[[nodiscard]] Command labSamplesCommand(CLI::App& app);
[[nodiscard]] Command labSimplexCommand(CLI::App& app);
[[nodiscard]] Command labUciCommand(CLI::App& app);

/// The subcommands that run networks: in dubito-cli-networks, and handed over by dubito-cli.
struct NetworkLabCommands {
  Command (*rotation)(CLI::App& app) = nullptr;
};

/// The command `lab` with these subcommands.
[[nodiscard]] Command labCommandWith(CLI::App& app, const NetworkLabCommands& networks);

}  // namespace dubito::cli
