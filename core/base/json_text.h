// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dubito {

/// `value` as text with `indent` spaces per level, or on one line for -1. File names need not be
/// UTF-8: invalid bytes become U+FFFD, where plain dump() would throw.
[[nodiscard]] inline std::string jsonText(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The beginning of `value` for a message: at most 60 characters, all printable ASCII.
[[nodiscard]] inline std::string jsonExcerpt(const nlohmann::json& value) {
  constexpr std::size_t kMaxLength = 60;
  const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text.size() > kMaxLength ? text.substr(0, kMaxLength) + "..." : text;
}

}  // namespace dubito
