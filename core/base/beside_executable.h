// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// Possible places of a file installed with this program: next to the executable, then in ../lib.
/// Empty if the executable is unknown.
[[nodiscard]] std::vector<std::string> placesBesideExecutable(const std::string& name);

}  // namespace dubito
