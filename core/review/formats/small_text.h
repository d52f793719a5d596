// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

// Small text files next to labels: lists of classes, predictions, cards of datasets.

/// The text of a regular file of at most 1 MiB; nothing for anything else, and for a link, which
/// could lead out of the folder.
[[nodiscard]] std::optional<std::string> smallText(const std::string& path);

/// The lines without spaces around them, at most 100 000.
[[nodiscard]] std::vector<std::string_view> trimmedLines(std::string_view text);

/// `text` without spaces and one pair of quotes around it.
[[nodiscard]] std::string unquoted(std::string_view text);

}  // namespace dubito
