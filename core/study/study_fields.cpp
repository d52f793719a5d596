// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dubito {

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
    node.fail(status.error().message);
  }
}

}  // namespace dubito
