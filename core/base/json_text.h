// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dubito {

/// `value` as text, indented by `indent` spaces per level, or on one line if `indent` is -1.
/// Invalid UTF-8, possible in file names, becomes U+FFFD, where dump() without arguments would
/// throw.
[[nodiscard]] inline std::string jsonText(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The beginning of `value` for a message: at most 60 printable ASCII characters, followed by "..."
/// if truncated.
[[nodiscard]] inline std::string jsonExcerpt(const nlohmann::json& value) {
  constexpr std::size_t kMaxLength = 60;
  const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text.size() > kMaxLength ? text.substr(0, kMaxLength) + "..." : text;
}

}  // namespace dubito
