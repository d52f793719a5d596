// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito::cli {

/// Shortest text that parses to the same double; empty for NaN, which means "no value".
[[nodiscard]] std::string numberText(double value);

}  // namespace dubito::cli
