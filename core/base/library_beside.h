// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Loads the shared library `name` for the rest of the program: from the executable's folder, from
/// ../lib next to it, then from the system's search path. kNotFound, with the message "NAME: cannot
/// be loaded (the loader's reason)".
[[nodiscard]] Expected<void*> loadBundledLibrary(const std::string& name);

}  // namespace dubito
