// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace dubito {

/// An error in a JSON text; the message names the member. Caught where the file name is known.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each throws JsonError if the member is missing or has another type.

[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* key);
[[nodiscard]] std::string textOf(const nlohmann::json& object, const char* key);
[[nodiscard]] bool flagOf(const nlohmann::json& object, const char* key);
[[nodiscard]] const nlohmann::json& listOf(const nlohmann::json& object, const char* key);
[[nodiscard]] const nlohmann::json& objectOf(const nlohmann::json& object, const char* key);
/// Within [low, high].
[[nodiscard]] std::int64_t wholeNumber(const nlohmann::json& object, const char* key,
                                       std::int64_t low, std::int64_t high);
/// Throws JsonError: `value` is not `wanted` ("a text").
[[noreturn]] void throwJsonError(const char* key, const nlohmann::json& value,
                                 const std::string& wanted);

}  // namespace dubito
