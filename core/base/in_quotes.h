// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace dubito {

/// Text of unknown origin for a message: at most `most_bytes` of it (never half a character; "..."
/// follows where more was there), control characters and what is not UTF-8 as '?'.
[[nodiscard]] std::string shownText(std::string_view text, std::size_t most_bytes);

/// shownText() of at most 80 bytes, in single quotes.
[[nodiscard]] std::string inQuotes(std::string_view text);

}  // namespace dubito
