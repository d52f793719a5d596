// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace dubito::cli {

// The subcommands of `lab`, in lab_command.cpp's list. Each declares its arguments in `app`.
[[nodiscard]] Command labRegressionCommand(CLI::App& app);
[[nodiscard]] Command labSamplerCommand(CLI::App& app);
[[nodiscard]] Command labSamplesCommand(CLI::App& app);
[[nodiscard]] Command labSimplexCommand(CLI::App& app);
[[nodiscard]] Command labUciCommand(CLI::App& app);

}  // namespace dubito::cli
