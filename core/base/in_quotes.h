// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace dubito {

/// Text of unknown origin, made safe for a message: at most `max_bytes` of it ("..." follows if it
/// is longer, characters are never split), with '?' for control characters and invalid UTF-8.
[[nodiscard]] std::string shownText(std::string_view text, std::size_t max_bytes);

/// shownText() of at most 80 bytes, in single quotes.
[[nodiscard]] std::string inQuotes(std::string_view text);

}  // namespace dubito
