// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace dubito {

/// What is wrong in a JSON text, in words that name the member; caught where the file is known.
struct WrongJson : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each throws WrongJson where `object` has no such member, or one of another kind.

[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* key);
[[nodiscard]] std::string textOf(const nlohmann::json& object, const char* key);
[[nodiscard]] bool flagOf(const nlohmann::json& object, const char* key);
[[nodiscard]] const nlohmann::json& listOf(const nlohmann::json& object, const char* key);
[[nodiscard]] const nlohmann::json& objectOf(const nlohmann::json& object, const char* key);
/// Within [low, high].
[[nodiscard]] std::int64_t wholeNumber(const nlohmann::json& object, const char* key,
                                       std::int64_t low, std::int64_t high);
/// Says that `value` is not `wanted` ("a text").
[[noreturn]] void throwWrong(const char* key, const nlohmann::json& value,
                             const std::string& wanted);

}  // namespace dubito
