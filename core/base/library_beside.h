// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Loads the shared library `name` for the rest of the program: from beside the executable, from
/// ../lib, then from where the system looks. kNotFound: "NAME: cannot be loaded (the loader's
/// reason)".
[[nodiscard]] Expected<void*> loadLibraryBeside(const std::string& name);

}  // namespace dubito
