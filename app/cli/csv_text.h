// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito::cli {

/// Shortest text that reads back as the same double; empty for NaN, which means "no value".
[[nodiscard]] std::string number(double value);

}  // namespace dubito::cli
