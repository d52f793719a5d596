// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/option_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <stdexcept>

#include "core/base/overloaded.h"

namespace dubito {
namespace {

/// "--flag=value", which parses back to the same bits; nothing for a value expressed by omitting
/// the flag.
std::optional<std::string> argumentOf(const Field& field) {
  const std::string flag = flagOf(field.info);
  return std::visit(
      Overloaded{
          [&](const bool* value) { return *value ? std::optional(flag) : std::nullopt; },
          [&]<typename Number>(const std::optional<Number>* value) {
            return *value ? std::optional(fmt::format("{}={}", flag, **value)) : std::nullopt;
          },
          [&](const std::vector<std::int64_t>* value) {
            return value->empty()
                       ? std::nullopt
                       : std::optional(fmt::format("{}={}", flag, fmt::join(*value, ",")));
          },
          [&](const auto* value) { return std::optional(fmt::format("{}={}", flag, *value)); }},
      field.value);
}

}  // namespace

std::vector<std::string> flagsOfFields(const std::vector<Field>& fields,
                                       const std::vector<Field>& defaults) {
  if (fields.size() != defaults.size()) {
    throw std::invalid_argument("flagsOfFields: these are not the fields of the same struct");
  }
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::optional<std::string> argument = argumentOf(fields[i]);
    if (argument && argument != argumentOf(defaults[i]) &&
        fields[i].info.unmet_requirement.empty()) {
      flags.push_back(*argument);
    }
  }
  return flags;
}

}  // namespace dubito
