// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito::cli {

/// As many digits as a double holds; empty for NaN, which stands for "no value".
[[nodiscard]] std::string number(double value);

}  // namespace dubito::cli
