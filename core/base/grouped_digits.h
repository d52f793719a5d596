// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace dubito {

/// A count for display, in UTF-8, with narrow no-break spaces between groups of three digits: "20
/// 000".
[[nodiscard]] std::string groupedDigits(std::int64_t count);

}  // namespace dubito
