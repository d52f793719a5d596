// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace dubito {

// Clues to the format at the beginning of a label file; for LabelFormat::recognise.

/// The first 64 KiB of a regular file; empty if it cannot be read.
[[nodiscard]] std::string headOfFile(const std::string& path);
/// The first character after a byte order mark and spaces; '\0' if there is none.
[[nodiscard]] char firstCharacter(std::string_view head);
/// The first line, without its end; empty if the end is not in `head`.
[[nodiscard]] std::string_view firstLine(std::string_view head);
/// Whether `"key":` occurs, at any level.
[[nodiscard]] bool hasJsonKey(std::string_view head, std::string_view key);
/// Whether the name has a usual ending of image files, in any case.
[[nodiscard]] bool hasImageEnding(std::string_view file);

}  // namespace dubito
