// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace dubito {
namespace {

/// Whether `text` contains `name` in any case.
bool mentions(std::string_view text, std::string_view name) {
  return !std::ranges::search(text, name, [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) ==
                   std::tolower(static_cast<unsigned char>(b));
          }).empty();
}

/// A setting as a key of a study, with its value if there is one.
std::string keyText(const Setting& setting) {
  switch (setting.place) {
    case Setting::Place::kOption:
      if (setting.omitted) {
        return "no " + setting.name;
      }
      return setting.value.empty() ? setting.name
                                   : fmt::format("{}: {}", setting.name, setting.value);
    case Setting::Place::kDataset:
      return fmt::format("?{}={}", setting.name, setting.value);
    case Setting::Place::kMetadata:
      return fmt::format("\"{}\" in the metadata", setting.name);
    case Setting::Place::kWords:
      break;
  }
  return setting.value;
}

}  // namespace

void readFields(const JsonNode& object, const std::vector<Field>& fields, const std::string& what,
                const std::vector<std::string>& others) {
  if (!object.value().is_object()) {
    object.fail("is not an object; write {\"OPTION\": VALUE, ...}");
  }
  std::vector<std::string> known = others;
  for (const Field& field : fields) {
    known.push_back(field.info.name);
  }
  for (const auto& item : object.value().items()) {
    const std::string& key = item.key();
    const JsonNode member = *object.find(key);
    if (std::ranges::find(known, key) == known.end()) {
      member.fail(fmt::format("{} has no such option; it has {}", what,
                              known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    if (std::ranges::find(others, key) != others.end()) {
      continue;
    }
    requireOk(member, fieldsFromJson({{key, item.value()}}, fields));
  }
}

void requireOk(const JsonNode& node, const Status& status) {
  if (!status) {
    node.fail(studyErrorText(status.error()));
  }
}

std::string studyErrorText(const Error& error) {
  std::vector<std::string> keys;
  for (const Setting& setting : error.remedy.settings) {
    const bool is_known = setting.place == Setting::Place::kOption && setting.value.empty() &&
                          !setting.omitted && mentions(error.message, setting.name);
    if (!is_known) {
      keys.push_back(keyText(setting));
    }
  }
  return keys.empty() ? error.message
                      : fmt::format("{} ({})", error.message, fmt::join(keys, ", "));
}

}  // namespace dubito
