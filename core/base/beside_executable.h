// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// Where a file that is installed with this program may be, most likely first: next to the
/// executable, then in ../lib. None if the executable is unknown.
[[nodiscard]] std::vector<std::string> placesBesideExecutable(const std::string& name);

}  // namespace dubito
