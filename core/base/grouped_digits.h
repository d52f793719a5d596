// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace dubito {

/// A count for display, in UTF-8: "20 000", groups of three digits separated by thin spaces.
[[nodiscard]] std::string groupedDigits(std::int64_t count);

}  // namespace dubito
