// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/label_source.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/grouped_digits.h"

namespace dubito {
namespace {

/// The fields with their keys; `source` may be const.
template <class Source, class Visitor>
void visitLabelSource(Source& source, Visitor&& visit) {
  visit("file", source.file);
  visit("sequence", source.sequence);
  visit("items", source.items);
  visit("decided", source.decided);
  visit("changed", source.changed);
  visit("newly_labelled", source.newly_labelled);
  visit("without_class", source.without_class);
  visit("beyond_classes", source.beyond_classes);
  visit("by_model", source.by_model);
}

std::string itemsText(std::int64_t count) {
  return groupedDigits(count) + (count == 1 ? " item" : " items");
}

}  // namespace

std::string changesOf(const ReviewedLabelSource& source) {
  // A dataset without labels has nothing that could be changed.
  const bool only_new = source.changed == 0 && source.newly_labelled > 0;
  std::string text = fmt::format("{}, {} of {} {}", source.file,
                                 groupedDigits(only_new ? source.newly_labelled : source.changed),
                                 groupedDigits(source.items), only_new ? "labelled" : "changed");
  if (source.newly_labelled > 0 && !only_new) {
    text += fmt::format(", {} labelled", groupedDigits(source.newly_labelled));
  }
  if (source.beyond_classes > 0) {
    text += fmt::format(", {} in new classes", groupedDigits(source.beyond_classes));
  }
  return text;
}

std::string describe(const ReviewedLabelSource& source) {
  return "reviewed labels (" + changesOf(source) + ")";
}

std::vector<std::string> notesOf(const ReviewedLabelSource& source) {
  std::vector<std::string> notes;
  const auto add = [&](std::int64_t count, const char* what) {
    if (count > 0) {
      notes.push_back(fmt::format("{}: {} {}", source.file, itemsText(count), what));
    }
  };
  add(source.without_class, "in none of the classes or ambiguous, evaluated as unlabelled");
  add(source.beyond_classes, "in classes that the network does not have, evaluated as unlabelled");
  add(source.by_model, "labelled by the model alone, evaluated with the given label");
  return notes;
}

nlohmann::json toJson(const ReviewedLabelSource& source) {
  nlohmann::json object;
  visitLabelSource(source, [&](const char* key, const auto& value) { object[key] = value; });
  return object;
}

ReviewedLabelSource labelSourceFromJson(const nlohmann::json& object) {
  ReviewedLabelSource source;
  visitLabelSource(source, [&](const char* key, auto& value) {
    if (const auto entry = object.find(key); entry != object.end()) {
      entry->get_to(value);
    }
  });
  return source;
}

}  // namespace dubito
