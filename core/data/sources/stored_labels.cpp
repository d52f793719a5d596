// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/stored_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/io/class_rule.h"

namespace dubito {

Expected<StoredLabels> storedLabels(const GivenClasses& given, std::vector<std::string>& notes) {
  auto parsed = parseClasses(given, false, {given.name});
  if (!parsed) {
    return failWith(parsed);
  }
  StoredLabels labels;
  if (!parsed->byName()) {
    for (std::int64_t& number : parsed->numbers) {
      number = number == kNoClass ? -1 : number;
    }
    auto numbers = labelsFromArray(
        AnyArray(Array<std::int64_t>::fromVector(std::move(parsed->numbers))), given.name);
    if (!numbers) {
      return failWith(numbers);
    }
    labels.numbers = *std::move(numbers);
    if (std::set<std::int64_t>(labels.numbers.begin(), labels.numbers.end()) ==
        std::set<std::int64_t>{-1, 1}) {
      notes.push_back(fmt::format(
          "{}: all labels are -1 or 1, and -1 means unknown; write 0 and 1 for two classes",
          given.name));
    }
    return labels;
  }
  const std::set<std::string> names = parsed->distinctWords();
  labels.class_names.assign(names.begin(), names.end());
  const ClassRule rule{labels.class_names, std::ssize(labels.class_names), false};
  auto numbers = rule.numbersOf(*parsed, {given.name}, notes);
  if (!numbers) {
    return failWith(numbers);
  }
  labels.numbers = *std::move(numbers);
  notes.push_back(fmt::format(
      "{}: the labels are names; classes are numbered in their alphabetical order", given.name));
  return labels;
}

Expected<std::vector<std::int64_t>> labelsFromArray(const AnyArray& array,
                                                    const std::string& name) {
  const Expected<Array<std::int64_t>> labels = toInt64(array, name);
  if (!labels) {
    return failWith(labels);
  }
  const auto values = labels->values();
  const auto wrong = std::ranges::find_if(values, [](std::int64_t value) { return value < -1; });
  if (wrong != values.end()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: label {} is {}; classes are numbered from 0, and -1 means unknown",
                            name, wrong - values.begin(), *wrong));
  }
  return std::vector<std::int64_t>(values.begin(), values.end());
}

}  // namespace dubito
