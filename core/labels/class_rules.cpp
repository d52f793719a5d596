// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/class_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

bool isAsciiDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isHexDigit(char c) {
  return isAsciiDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

std::string wrongWithClass(const LabelClass& one) {
  if (one.name.find_first_not_of(" \t") == std::string::npos) {
    return "the name of the class is empty; give it a name";
  }
  const bool key_is_valid =
      one.key.empty() ||
      (one.key.size() == 1 && (isAsciiDigit(one.key[0]) || isAsciiLetter(one.key[0])));
  if (!key_is_valid) {
    return fmt::format("the key {} is not one letter or digit; choose one", inQuotes(one.key));
  }
  const bool colour_is_valid =
      one.colour.empty() || (one.colour.size() == 7 && one.colour[0] == '#' &&
                             std::all_of(one.colour.begin() + 1, one.colour.end(), isHexDigit));
  if (!colour_is_valid) {
    return fmt::format("the colour {} is not of the form #rrggbb; choose one",
                       inQuotes(one.colour));
  }
  return {};
}

std::string wrongWithClasses(std::span<const LabelClass> classes) {
  std::set<std::string> names;
  std::set<std::string> keys;
  for (const LabelClass& one : classes) {
    if (one.merged_into) {
      const std::int64_t root = mergedClass(classes, one.id);
      const LabelClass* const found = findClass(classes, root);
      if (found == nullptr || found->merged_into) {
        return fmt::format(
            "the class {} is merged into one that does not exist; undo other "
            "changes of the classes first",
            inQuotes(one.name));
      }
      continue;
    }
    if (!names.insert(one.name).second) {
      return fmt::format("there are two classes named {}; choose another name", inQuotes(one.name));
    }
    if (!one.key.empty() && !keys.insert(one.key).second) {
      return fmt::format("the key {} is used by another class; choose another key",
                         inQuotes(one.key));
    }
  }
  return {};
}

}  // namespace dubito
