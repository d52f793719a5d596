// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/json_members.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"

namespace dubito {

using nlohmann::json;

void throwJsonError(const char* key, const json& value, const std::string& wanted) {
  throw JsonError(fmt::format("'{}' is {}, not {}", key, inQuotes(jsonExcerpt(value)), wanted));
}

const json& member(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end()) {
    throw JsonError(fmt::format("'{}' is missing", key));
  }
  return *found;
}

std::string stringMember(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) {
    throwJsonError(key, value, "a string");
  }
  return value.get<std::string>();
}

bool boolMember(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_boolean()) {
    throwJsonError(key, value, "true or false");
  }
  return value.get<bool>();
}

const json& arrayMember(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_array()) {
    throwJsonError(key, value, "a list");
  }
  return value;
}

const json& objectMember(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_object()) {
    throwJsonError(key, value, "an object");
  }
  return value;
}

std::int64_t wholeNumber(const json& object, const char* key, std::int64_t low, std::int64_t high) {
  const json& value = member(object, key);
  const bool fits =
      value.is_number_unsigned()
          ? high >= 0 && value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high)
          : value.is_number_integer() && value.get<std::int64_t>() <= high;
  if (!fits || value.get<std::int64_t>() < low) {
    throwJsonError(key, value, fmt::format("a whole number from {} to {}", low, high));
  }
  return value.get<std::int64_t>();
}

}  // namespace dubito
