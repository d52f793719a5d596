// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Loads the shared library `name`, which stays loaded until the program ends. Tries the
/// executable's folder, ../lib relative to it, then the system's search path. kNotFound, with the
/// message "NAME: cannot be loaded (REASON)", where REASON is the loader's error message.
[[nodiscard]] Expected<void*> loadBundledLibrary(const std::string& name);

}  // namespace dubito
