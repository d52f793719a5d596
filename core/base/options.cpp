// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
  return fail(ErrorCode::kInvalidArgument, fmt::format("{} is {}; it must lie in [{}, {}]",
                                                       flagOf(info), value, info.min, info.max));
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
                        fmt::format("{} is '{}'; choose one of {}", flagOf(info), *value,
                                    fmt::join(info.choices, ", ")));
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
    try {
      std::visit(Overloaded{[&](auto* value) { entry.get_to(*value); },
                            [&]<typename Number>(std::optional<Number>* value) {
                              *value = entry.is_null() ? std::nullopt
                                                       : std::optional<Number>(entry.get<Number>());
                            }},
                 field->value);
    } catch (const nlohmann::json::exception&) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("option {} has a value of the wrong type: {}", inQuotes(key),
                              jsonExcerpt(entry)));
    }
  }
  return checkFields(fields);
}

}  // namespace dubito
