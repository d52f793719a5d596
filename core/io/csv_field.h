// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// A text as one field of a CSV file: in quotes where it holds a comma, a quote or a line break.
[[nodiscard]] std::string csvField(const std::string& text);

}  // namespace dubito
