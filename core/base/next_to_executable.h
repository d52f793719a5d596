// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// Candidate paths of the file `name`, which is installed with this program, in search order: the
/// executable's folder, then ../lib relative to it. Empty if the executable's path is unknown.
[[nodiscard]] std::vector<std::string> pathsNextToExecutable(const std::string& name);

}  // namespace dubito
