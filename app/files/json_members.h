// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace dubito {

/// An invalid or missing member of a JSON object; the message names the member. Callers that know
/// the file name catch it and add the name.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each throws JsonError if the member is missing or has the wrong type.

[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* key);
[[nodiscard]] std::string stringMember(const nlohmann::json& object, const char* key);
[[nodiscard]] bool boolMember(const nlohmann::json& object, const char* key);
[[nodiscard]] const nlohmann::json& arrayMember(const nlohmann::json& object, const char* key);
[[nodiscard]] const nlohmann::json& objectMember(const nlohmann::json& object, const char* key);
/// An integer. Throws JsonError also if it lies outside [low, high].
[[nodiscard]] std::int64_t wholeNumber(const nlohmann::json& object, const char* key,
                                       std::int64_t low, std::int64_t high);
/// Throws JsonError with the message that the member `key` is `value`, not `wanted` ("a string").
[[noreturn]] void throwJsonError(const char* key, const nlohmann::json& value,
                                 const std::string& wanted);

}  // namespace dubito
