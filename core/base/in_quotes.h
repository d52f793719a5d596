// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dubito {

/// Makes text of unknown origin safe for a message: replaces control characters, characters that
/// reorder text, and invalid UTF-8 by '?', and truncates text longer than `max_bytes` between two
/// characters, followed by "...".
[[nodiscard]] std::string shownText(std::string_view text, std::size_t max_bytes);

/// shownText() of at most 80 bytes, in single quotes.
[[nodiscard]] std::string inQuotes(std::string_view text);

/// Up to eight names in quotes, and how many more there are: "'cat', 'dog'".
[[nodiscard]] std::string inQuotes(std::span<const std::string> names);

}  // namespace dubito
