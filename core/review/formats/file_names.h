// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace dubito {

/// Any text as the name of a file or folder, reversible: '/', '\', '%', control characters and a
/// leading '.' become "%2F" and so on, the empty text "%_". The result is never "." or ".." and
/// never contains a separator.
[[nodiscard]] std::string fileNameOf(std::string_view text);
/// The text of which `name` is the file name; a '%' that fileNameOf() cannot have written stays.
[[nodiscard]] std::string textOfFileName(std::string_view name);

/// fileNameOf() of each component: "../a//b.png" becomes "%2E./a/%_/b.png", a relative path that
/// never leaves its folder.
[[nodiscard]] std::string containedPath(std::string_view path);
[[nodiscard]] std::string pathOfContained(std::string_view contained);

}  // namespace dubito
