// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/foreign_classes.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace dubito {
namespace {

using nlohmann::json;

std::optional<std::string> nameFrom(const json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.is_number_integer() ? std::optional(value.dump()) : std::nullopt;
}

std::optional<std::int64_t> numberFrom(const json& value) {
  if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  }
  if (!value.is_string()) {
    return std::nullopt;
  }
  const auto& text = value.get_ref<const std::string&>();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty()
             ? std::optional(number)
             : std::nullopt;
}

/// The names if the numbers are 0 to K - 1.
std::optional<std::vector<std::string>> inOrder(const std::map<std::int64_t, std::string>& names,
                                                std::size_t count) {
  if (names.size() != count || names.empty() || names.begin()->first != 0 ||
      names.rbegin()->first != static_cast<std::int64_t>(count) - 1) {
    return std::nullopt;
  }
  std::vector<std::string> list;
  for (const auto& [number, name] : names) {
    list.push_back(name);
  }
  return list;
}

std::optional<std::vector<std::string>> fromDictionary(const json& object) {
  std::map<std::int64_t, std::string> by_key;
  std::map<std::int64_t, std::string> by_value;
  bool keys_are_numbers = true;
  bool values_are_numbers = true;
  for (const auto& [key, value] : object.items()) {
    const auto key_number = numberFrom(json(key));
    const auto name = nameFrom(value);
    keys_are_numbers = keys_are_numbers && key_number && name;
    if (key_number && name) {
      by_key.emplace(*key_number, *name);
    }
    values_are_numbers = values_are_numbers && value.is_number_integer();
    if (value.is_number_integer()) {
      by_value.emplace(value.get<std::int64_t>(), key);
    }
  }
  const auto of_keys = keys_are_numbers ? inOrder(by_key, object.size()) : std::nullopt;
  const auto of_values = values_are_numbers ? inOrder(by_value, object.size()) : std::nullopt;
  if (of_keys && of_values) {
    return *of_keys == *of_values ? of_keys : std::nullopt;
  }
  return of_keys ? of_keys : of_values;
}

}  // namespace

std::optional<std::vector<std::string>> classNamesFrom(const json& value) {
  if (value.is_object()) {
    return fromDictionary(value);
  }
  if (!value.is_array() || value.empty()) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  std::map<std::int64_t, std::string> by_id;
  for (const json& entry : value) {
    if (const auto name = nameFrom(entry)) {
      names.push_back(*name);
      continue;
    }
    const auto name =
        entry.is_object() && entry.contains("name") ? nameFrom(entry["name"]) : std::nullopt;
    const auto id =
        entry.is_object() && entry.contains("id") ? numberFrom(entry["id"]) : std::nullopt;
    if (!name || !id) {
      return std::nullopt;
    }
    by_id.emplace(*id, *name);
  }
  return by_id.empty() ? std::optional(names) : inOrder(by_id, value.size());
}

bool arePlaceholders(const std::vector<std::string>& names) {
  std::size_t number = 0;
  return std::ranges::all_of(names, [&number](const std::string& name) {
    return name == "LABEL_" + std::to_string(number++);
  });
}

}  // namespace dubito
