// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// kInvalidArgument, saying what it is, if `path` names a folder, a named pipe, a socket or a
/// device. Call it before opening a file of the user: opening a pipe waits for a writer, perhaps
/// forever. No error if there is nothing, or nothing that can be examined: opening it will fail.
[[nodiscard]] Status checkRegularFile(const std::string& path);

/// The same for a file that has been opened without waiting; `mode` is st_mode of its stat.
[[nodiscard]] Status checkRegularFile(const std::string& path, unsigned mode);

}  // namespace dubito
