// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace dubito {

/// Parses JSON of unknown origin without members named `skipped` (large ones that nobody needs).
/// kMalformed, beginning with `source`, with line and column, for a syntax error and for more than
/// 64 levels; `remedy` ends the message. `first_line` is the number of the first line.
[[nodiscard]] Expected<nlohmann::json> parseJson(std::string_view text, const std::string& source,
                                                 const std::string& remedy,
                                                 std::string_view skipped = {},
                                                 std::int64_t first_line = 1);

/// parseJson() of a file; also the errors of MappedFile::open.
[[nodiscard]] Expected<nlohmann::json> readJsonFile(const std::string& path,
                                                    const std::string& remedy,
                                                    std::string_view skipped = {});

/// The member `key`, or nullptr if `value` is no object or has no such member.
[[nodiscard]] const nlohmann::json* memberOf(const nlohmann::json& value, const char* key);
/// The list of the member `key`; an empty list if it is absent or no list.
[[nodiscard]] const nlohmann::json& listMember(const nlohmann::json& value, const char* key);
/// kMalformed, beginning with `source` and ending with `remedy`, if the member `key` is no list.
[[nodiscard]] Status requireList(const nlohmann::json& value, const char* key,
                                 const std::string& source, const std::string& remedy);
/// The text of the member `key`; "" if it is absent or no text.
[[nodiscard]] std::string textMember(const nlohmann::json& value, const char* key);
/// The integer of the member `key`: 7, "7" or {"$numberLong": "7"}, as MongoDB writes it.
[[nodiscard]] std::optional<std::int64_t> integerMember(const nlohmann::json& value,
                                                        const char* key);
/// The number of the member `key`, or nothing.
[[nodiscard]] std::optional<double> numberMember(const nlohmann::json& value, const char* key);

/// "line 3, column 7" of a position in a text.
[[nodiscard]] std::string lineAndColumn(std::string_view text, std::size_t position,
                                        std::int64_t first_line = 1);

}  // namespace dubito
