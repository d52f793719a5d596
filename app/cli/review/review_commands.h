// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace dubito::cli {

// The subcommands of `review`, in review_command.cpp's list. Each declares its arguments in `app`.
[[nodiscard]] Command reviewAgreementCommand(CLI::App& app);
[[nodiscard]] Command reviewAuditCommand(CLI::App& app);
[[nodiscard]] Command reviewClassesCommand(CLI::App& app);
[[nodiscard]] Command reviewDecideCommand(CLI::App& app);
[[nodiscard]] Command reviewEffectCommand(CLI::App& app);
[[nodiscard]] Command reviewErrorsCommand(CLI::App& app);
[[nodiscard]] Command reviewExportCommand(CLI::App& app);
[[nodiscard]] Command reviewImportCommand(CLI::App& app);
[[nodiscard]] Command reviewQueueCommand(CLI::App& app);
[[nodiscard]] Command reviewSimulateCommand(CLI::App& app);

}  // namespace dubito::cli
