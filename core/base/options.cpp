// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/base/overloaded.h"

namespace dubito {
namespace {

Status checkRange(const FieldInfo& info, double value) {
  if (value >= info.min && value <= info.max) {
    return {};
  }
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{} is {}; it must lie in [{}, {}]", info.label, value, info.min, info.max),
      {setting(info.name)});
}

/// A whole number such as 3, 3.0 or 3e0.
bool readValue(const nlohmann::json& entry, std::int64_t& value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (entry.is_number_float()) {
    const double number = entry.get<double>();
    if (number != std::floor(number) || std::abs(number) > kExact) {
      return false;
    }
    value = static_cast<std::int64_t>(number);
    return true;
  }
  if (!entry.is_number()) {
    return false;
  }
  value = entry.get<std::int64_t>();
  return true;
}

bool readValue(const nlohmann::json& entry, double& value) {
  if (entry.is_number()) {
    value = entry.get<double>();
  }
  return entry.is_number();
}

bool readValue(const nlohmann::json& entry, bool& value) {
  if (entry.is_boolean()) {
    value = entry.get<bool>();
  }
  return entry.is_boolean();
}

bool readValue(const nlohmann::json& entry, std::string& value) {
  if (entry.is_string()) {
    value = entry.get<std::string>();
  }
  return entry.is_string();
}

template <class Number>
bool readValue(const nlohmann::json& entry, std::optional<Number>& value) {
  if (entry.is_null()) {
    value.reset();
    return true;
  }
  Number number{};
  if (!readValue(entry, number)) {
    return false;
  }
  value = number;
  return true;
}

bool readValue(const nlohmann::json& entry, std::vector<std::int64_t>& values) {
  std::vector<std::int64_t> read(entry.is_array() ? entry.size() : 0);
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!readValue(entry[i], read[i])) {
      return false;
    }
  }
  values = std::move(read);
  return entry.is_array();
}

/// What is to be written for an option, in words.
const char* expectedValue(const FieldValue& value) {
  return std::visit(
      Overloaded{[](const bool*) { return "true or false"; },
                 [](const std::int64_t*) { return "a whole number"; },
                 [](const double*) { return "a number"; },
                 [](const std::string*) { return "a text"; },
                 [](const std::optional<double>*) { return "a number, or null"; },
                 [](const std::optional<std::int64_t>*) { return "a whole number, or null"; },
                 [](const std::vector<std::int64_t>*) { return "a list of whole numbers"; }},
      value);
}

Status checkField(const Field& field) {
  const FieldInfo& info = field.info;
  return std::visit(
      Overloaded{
          [](const bool*) -> Status { return {}; },
          [&](const std::int64_t* value) { return checkRange(info, static_cast<double>(*value)); },
          [&](const double* value) { return checkRange(info, *value); },
          [&]<typename Number>(const std::optional<Number>* value) -> Status {
            return *value ? checkRange(info, static_cast<double>(**value)) : Status{};
          },
          [&](const std::string* value) -> Status {
            if (info.choices.empty() || std::ranges::count(info.choices, *value) > 0) {
              return {};
            }
            return fail(ErrorCode::kInvalidArgument,
                        fmt::format("{} is '{}'; choose one of {}", info.label, *value,
                                    fmt::join(info.choices, ", ")),
                        {setting(info.name)});
          },
          [&](const std::vector<std::int64_t>* values) -> Status {
            for (const std::int64_t value : *values) {
              if (Status status = checkRange(info, static_cast<double>(value)); !status) {
                return status;
              }
            }
            return {};
          }},
      field.value);
}

}  // namespace

std::string choiceLabel(const FieldInfo& info, const std::string& value) {
  const auto choice = std::ranges::find(info.choices, value);
  const auto position = static_cast<std::size_t>(choice - info.choices.begin());
  if (position < info.choice_labels.size()) {
    return info.choice_labels[position];
  }
  for (const TextForm& form : info.forms) {
    if (!form.number && value == form.prefix) {
      return form.label;
    }
    if (form.number && !form.prefix.empty() && value.starts_with(form.prefix)) {
      return fmt::format("{} {}", form.label, value.substr(form.prefix.size()));
    }
  }
  return value;
}

std::string flagOf(const FieldInfo& info) {
  std::string flag = "--" + info.name;
  std::ranges::replace(flag, '_', '-');
  return flag;
}

Status checkFields(const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    if (Status status = checkField(field); !status) {
      return status;
    }
  }
  return {};
}

nlohmann::json fieldsToJson(const std::vector<Field>& fields) {
  nlohmann::json object = nlohmann::json::object();
  for (const Field& field : fields) {
    nlohmann::json& entry = object[field.info.name];
    std::visit(Overloaded{[&](const auto* value) { entry = *value; },
                          [&]<typename Number>(const std::optional<Number>* value) {
                            if (value->has_value()) {
                              entry = **value;
                            }
                          }},
               field.value);
  }
  return object;
}

Status fieldsFromJson(const nlohmann::json& object, const std::vector<Field>& fields) {
  if (!object.is_object()) {
    return fail(ErrorCode::kInvalidArgument, "options must be a JSON object");
  }
  for (const auto& item : object.items()) {
    // clang 14 cannot capture structured bindings in lambdas.
    const std::string& key = item.key();
    const nlohmann::json& entry = item.value();
    const auto field =
        std::ranges::find_if(fields, [&](const Field& f) { return f.info.name == key; });
    if (field == fields.end()) {
      return fail(ErrorCode::kInvalidArgument, fmt::format("unknown option {}", inQuotes(key)));
    }
    if (!std::visit([&](auto* value) { return readValue(entry, *value); }, field->value)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("option {} has a value of the wrong type: {}; write {}",
                              inQuotes(key), jsonExcerpt(entry), expectedValue(field->value)));
    }
  }
  return checkFields(fields);
}

}  // namespace dubito
