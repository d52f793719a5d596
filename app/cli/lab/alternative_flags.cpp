// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lab/alternative_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "app/cli/command.h"
#include "core/base/overloaded.h"
#include "core/io/csv.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

std::string textOf(const json& value) {
  return value.is_null()     ? "automatic"
         : value.is_string() ? value.get<std::string>()
                             : value.dump();
}

std::optional<json> wholeNumberOf(const std::string& text) {
  const auto number = parseInteger(text);
  return number ? std::optional<json>(*number) : std::nullopt;
}

std::optional<json> numberOf(const std::string& text) {
  const auto number = parseNumber(text);
  return number ? std::optional<json>(*number) : std::nullopt;
}

std::optional<json> listOf(const std::string& text) {
  json list = json::array();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = wholeNumberOf(text.substr(begin, end - begin));
    if (!number) {
      return std::nullopt;
    }
    list.push_back(*number);
    begin = end + 1;
  }
  return list;
}

/// What the flag of `field` expects, for messages.
struct Parsed {
  std::optional<json> value;
  const char* expected = "";
};

Parsed parse(const FieldValue& value, const std::string& text) {
  return std::visit(Overloaded{[&](bool*) {
                                 return Parsed{text == "true" || text == "false"
                                                   ? std::optional<json>(text == "true")
                                                   : std::nullopt,
                                               "true or false"};
                               },
                               [&](std::string*) {
                                 return Parsed{json(text), "a text"};
                               },
                               [&](std::int64_t*) {
                                 return Parsed{wholeNumberOf(text), "a whole number"};
                               },
                               [&](std::optional<std::int64_t>*) {
                                 return Parsed{wholeNumberOf(text), "a whole number"};
                               },
                               [&](std::vector<std::int64_t>*) {
                                 return Parsed{listOf(text), "whole numbers separated by commas"};
                               },
                               [&](auto*) {
                                 return Parsed{numberOf(text), "a number"};
                               }},
                    value);
}

}  // namespace

void AlternativeFlags::add(const std::string& key, const std::vector<Field>& fields) {
  const json defaults = fieldsToJson(fields);
  for (const Field& field : fields) {
    const bool is_switch = std::holds_alternative<bool*>(field.value);
    const std::string text = textOf(defaults.at(field.info.name));
    const auto [found, is_new] =
        flags_.try_emplace(field.info.name, Flag{field.info, is_switch, {}, text, "", nullptr});
    Flag& flag = found->second;
    if (flag.is_switch != is_switch) {
      throw std::logic_error("AlternativeFlags: " + field.info.name + " has two types");
    }
    flag.alternatives.push_back(key);
    if (!is_new && flag.default_text != text) {
      flag.default_text.clear();
    }
  }
}

void AlternativeFlags::declare(CLI::App& app, const std::string& choice) {
  choice_ = choice;
  for (auto& [name, flag] : flags_) {
    std::string help = flag.info.help;
    if (!flag.info.unit.empty()) {
      help += fmt::format(" ({})", flag.info.unit);
    }
    if (!flag.info.choices.empty()) {
      help += fmt::format(": {}", fmt::join(flag.info.choices, " | "));
    }
    if (!flag.default_text.empty()) {
      help += fmt::format(" [{}]", flag.default_text);
    }
    help += fmt::format(" ({} {})", choice, fmt::join(flag.alternatives, ", "));
    flag.option = flag.is_switch ? app.add_flag(flagOf(flag.info), flag.text, help)
                                 : app.add_option(flagOf(flag.info), flag.text, help);
    flag.option->group("Options of the method");
  }
}

Status AlternativeFlags::apply(const std::string& key, const std::vector<Field>& fields) const {
  json given = json::object();
  for (const auto& [name, flag] : flags_) {
    if (flag.option == nullptr || flag.option->count() == 0) {
      continue;
    }
    const auto field =
        std::ranges::find(fields, name, [](const Field& one) { return one.info.name; });
    if (field == fields.end()) {
      return usageError(fmt::format("{} has no effect with {} {}; it requires {} {}",
                                    flagOf(flag.info), choice_, key, choice_,
                                    fmt::join(flag.alternatives, ", ")));
    }
    const Parsed parsed = parse(field->value, flag.text);
    if (!parsed.value) {
      return usageError(
          fmt::format("{}: '{}' is not {}", flagOf(flag.info), flag.text, parsed.expected));
    }
    given[name] = *parsed.value;
  }
  if (Status set = fieldsFromJson(given, fields); !set) {
    return usageError(set.error());
  }
  return {};
}

}  // namespace dubito::cli
