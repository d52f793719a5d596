// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/run_context.h"

namespace dubito::cli {

/// Installs signal handlers and returns the control they act on: SIGINT and SIGTERM cancel (a
/// second one ends the program at once), SIGUSR1 stops early. Exceeding a file size limit becomes
/// an ordinary write error.
[[nodiscard]] std::shared_ptr<RunControl> interruptibleControl();

}  // namespace dubito::cli
