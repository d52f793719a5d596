// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace dubito {

/// Text of unknown origin for a message: in single quotes, at most 80 bytes of it (never half a
/// character; "..." follows where more was there), control characters and what is not UTF-8 as '?'.
[[nodiscard]] std::string inQuotes(std::string_view text);

}  // namespace dubito
