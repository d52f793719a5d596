// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_classes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/io/run_check.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxShownNames = 8;
constexpr std::size_t kMaxShownBytes = 40;  // of a name

Expected<std::optional<ParsedClasses>> parseFor(const std::optional<GivenClasses>& given,
                                                std::int64_t items, const FileRows& file) {
  if (!given) {
    return std::optional<ParsedClasses>();
  }
  const std::vector<std::int64_t>& shape = shapeOf(given->values);
  if (shape.empty() || shape.size() > 2 || shape[0] != items) {
    return file.malformed(
        fmt::format("{} has the shape {}, which does not fit {} items; give one "
                    "class number per item",
                    given->name, shapeText(shape), items));
  }
  auto parsed = parseClasses(*given, false, file);
  if (!parsed) {
    return failWith(parsed);
  }
  return std::optional(*std::move(parsed));
}

const ParsedClasses* pointerTo(const std::optional<ParsedClasses>& parsed) {
  return parsed ? &*parsed : nullptr;
}

/// "cat = 0, dog = 1".
std::string numberedNames(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < std::min(names.size(), kMaxShownNames); ++k) {
    shown.push_back(fmt::format("{} = {}", shownText(names[k], kMaxShownBytes), k));
  }
  return fmt::format("{}{}", fmt::join(shown, ", "), names.size() > shown.size() ? ", ..." : "");
}

}  // namespace

Expected<PredictionClasses> PredictionClasses::parse(const RawPredictions& raw,
                                                     std::int64_t items) {
  PredictionClasses classes;
  classes.items_ = items;
  auto labels = parseFor(raw.labels, items, raw.file);
  if (!labels) {
    return failWith(labels);
  }
  auto predicted = parseFor(raw.predicted, items, raw.file);
  if (!predicted) {
    return failWith(predicted);
  }
  classes.parsed_labels_ = *std::move(labels);
  classes.parsed_predicted_ = *std::move(predicted);
  return classes;
}

std::int64_t PredictionClasses::seen() const {
  std::set<std::string> words;
  std::int64_t numbers = 0;
  for (const auto* parsed : {pointerTo(parsed_labels_), pointerTo(parsed_predicted_)}) {
    if (parsed == nullptr) {
      continue;
    }
    for (const std::string& word : parsed->distinctWords()) {
      words.insert(nameKey(word));
    }
    if (const auto distinct = parsed->distinctNumbers(); !distinct.empty()) {
      numbers = std::max(numbers, *distinct.rbegin() + 1);
    }
  }
  return std::max<std::int64_t>(std::ssize(words), numbers);
}

void PredictionClasses::nameByWords() {
  std::set<std::string> all =
      parsed_labels_ ? parsed_labels_->distinctWords() : std::set<std::string>();
  std::multiset<std::string> keys;
  for (const std::string& word : all) {
    keys.insert(nameKey(word));
  }
  const std::set<std::string> predictions =
      parsed_predicted_ ? parsed_predicted_->distinctWords() : std::set<std::string>();
  for (const std::string& word : predictions) {
    // "Cat" among the predictions is the label "cat", if that can only mean one of them.
    if (keys.count(nameKey(word)) != 1) {
      all.insert(word);
    }
  }
  names.assign(all.begin(), all.end());
  named_by_words_ = !names.empty();
}

Status PredictionClasses::number(std::int64_t count, RawPredictions& raw) {
  names = raw.class_names;
  if (count > 0 && !names.empty() && std::ssize(names) != count) {
    return raw.file.malformed(fmt::format(
        "there are {} class names for {} classes; give one name per class", names.size(), count));
  }
  const bool by_name = (parsed_labels_ && parsed_labels_->byName()) ||
                       (parsed_predicted_ && parsed_predicted_->byName());
  if (names.empty() && by_name) {
    nameByWords();
    if (std::ranges::any_of(names,
                            [](const std::string& name) { return bool(parseNumber(name)); })) {
      names.clear();  // numbers and words: the words are wrong
      named_by_words_ = false;
    } else if (count > 0 && std::ssize(names) != count) {
      return raw.file.malformed(fmt::format(
          "its labels or predictions have {} names ({}), but its {} classes are numbered; name the "
          "class columns (prob_NAME), or give class numbers",
          names.size(), numberedNames(names), count));
    }
  }
  ClassRule rule{names, count > 0 ? count : std::ssize(names), false};
  const bool numeric_names =
      !names.empty() && std::ranges::all_of(names, [](const std::string& name) {
        return parseInteger(name).has_value();
      });
  rule.signs = !numeric_names &&
               areSigns(pointerTo(parsed_labels_), pointerTo(parsed_predicted_), rule.count);
  if (rule.signs) {
    raw.notes.emplace_back(
        "labels are -1 and +1: they are taken as the classes 0 and 1, not as unknown labels");
  }
  if (parsed_labels_ && parsed_labels_->one_hot && count > 0 &&
      shapeOf(raw.labels->values).at(1) != count) {
    return raw.file.malformed(
        fmt::format("{} has the shape {}, which does not fit {} items of {} classes; give one "
                    "class number per item",
                    parsed_labels_->name, shapeText(shapeOf(raw.labels->values)), items_, count));
  }
  for (const auto& [parsed, numbers] : {std::pair{pointerTo(parsed_labels_), &labels},
                                        {pointerTo(parsed_predicted_), &predicted}}) {
    if (parsed == nullptr) {
      continue;
    }
    auto read = rule.numbersOf(*parsed, raw.file, raw.notes);
    if (!read) {
      return failWith(read);
    }
    *numbers = *std::move(read);
    const bool in_order = !parsed->byName() && !parsed->one_hot && !raw.class_names.empty() &&
                          !raw.ranks && !numeric_names;
    if (in_order && numbers == &labels) {
      raw.notes.emplace_back("numeric labels are taken in the order of the class columns");
    }
  }
  if (!parsed_labels_) {
    raw.notes.emplace_back("no labels: metrics that need labels are not computed");
    labels.assign(static_cast<std::size_t>(items_), -1);
  } else if (const auto unknown = std::ranges::count(labels, std::int64_t{-1}); unknown > 0) {
    raw.notes.push_back(fmt::format("{} of {} items have no label (-1)", unknown, items_));
  }
  if (named_by_words_) {
    raw.notes.push_back(
        fmt::format("classes are numbered in the alphabetical order of their names ({})",
                    numberedNames(names)));
  }
  return {};
}

Status PredictionClasses::checkNames(std::span<const std::int64_t> largest,
                                     const std::string& largest_name, const FileRows& file) const {
  const bool labels_named = parsed_labels_ && parsed_labels_->byName();
  const bool predicted_named = parsed_predicted_ && parsed_predicted_->byName();
  if (!named_by_words_) {
    return {};
  }
  const auto& by_name = labels_named ? labels : predicted;
  const std::string& name = labels_named ? parsed_labels_->name : parsed_predicted_->name;
  const auto check = [&](std::span<const std::int64_t> numbers, const std::string& numbers_name) {
    return ordersAgree(by_name, numbers, std::ssize(names))
               ? Status()
               : Status(file.malformed(fmt::format(
                     "the class numbers of {} do not follow the alphabetical order of the names in "
                     "{} ({}); give names in both, or numbers in both",
                     numbers_name, name, numberedNames(names))));
  };
  if (!largest.empty()) {
    return check(largest, largest_name);
  }
  if (labels_named && parsed_predicted_ && !predicted_named) {
    return check(predicted, parsed_predicted_->name);
  }
  return predicted_named && parsed_labels_ && !labels_named ? check(labels, parsed_labels_->name)
                                                            : Status();
}

}  // namespace dubito
