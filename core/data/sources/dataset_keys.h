// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace dubito {

/// The options that a specification of any kind may have.
inline constexpr std::array<std::string_view, 5> kCommonDatasetKeys{"items", "classes", "role",
                                                                    "corrupt", "name"};

/// Whether an option of a specification may be called `text`: lower-case letters and underscores,
/// at least one.
[[nodiscard]] inline bool isDatasetKey(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || letter == '_';
  });
}

}  // namespace dubito
