// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace dubito {

/// `text` with the letters A to Z in lower case, whatever the locale. Other bytes stay.
[[nodiscard]] inline std::string lowerCase(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return text;
}

/// The ending of a file name in lower case: ".jpg" of "a/1.JPG"; empty if it has none.
[[nodiscard]] inline std::string lowerCaseEnding(const std::filesystem::path& path) {
  return lowerCase(path.extension().string());
}

}  // namespace dubito
