// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace dubito {

/// A count with its noun: "1 label", "2 labels", "0 labels".
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view one,
                                         std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// The same for nouns with a plural in -s.
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view one) {
  return counted(count, one, fmt::format("{}s", one));
}

}  // namespace dubito
