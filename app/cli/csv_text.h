// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito::cli {

/// A text as one field of a CSV file: in quotes where it holds a comma, a quote or a line break.
[[nodiscard]] std::string quoted(const std::string& text);

/// As many digits as a double holds; empty for NaN, which stands for "no value".
[[nodiscard]] std::string number(double value);

}  // namespace dubito::cli
