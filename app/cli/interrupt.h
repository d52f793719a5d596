// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/run_context.h"

namespace dubito::cli {

/// Control flags that Ctrl-C and SIGTERM set to "cancel". A second Ctrl-C ends the program at once.
/// SIGUSR1 sets "stop early". Writing beyond a limit on the size of files becomes an error like any
/// other.
[[nodiscard]] std::shared_ptr<RunControl> interruptibleControl();

}  // namespace dubito::cli
