// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace dubito {

/// An object that was written as JSON, or almost.
struct RelaxedObject {
  nlohmann::json object;
  /// In what the text differs from JSON ("it has trailing commas"); empty if it does not.
  std::string deviation;
};

/// Reads a JSON object. Also reads what people and Python's print make of one: trailing commas,
/// comments, single quotes, True, False and None, tuples, and numbers as keys. Nothing if the text
/// is no such object.
[[nodiscard]] std::optional<RelaxedObject> parseRelaxed(std::string_view text);

/// Where and why the text is not JSON: "line 3, column 7"; empty if it is.
[[nodiscard]] std::string firstJsonError(std::string_view text);

}  // namespace dubito
