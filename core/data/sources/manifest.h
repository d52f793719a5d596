// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// Whether a CSV file lists images (a column of paths) rather than predictions (columns of class
/// probabilities, or a predicted class with its confidence). Reads its first lines; false for what
/// cannot be read.
[[nodiscard]] bool isManifest(const std::string& path);

}  // namespace dubito
