// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/class_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/io/run_check.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

using NumberOf = std::map<std::string, std::int64_t, std::less<>>;

NumberOf exactNames(const std::vector<std::string>& names) {
  NumberOf number_of;
  for (std::size_t k = 0; k < names.size(); ++k) {
    number_of.emplace(trimmed(names[k]), static_cast<std::int64_t>(k));
  }
  return number_of;
}

/// By nameKey; empty if two names have the same key.
NumberOf foldedNames(const std::vector<std::string>& names) {
  NumberOf number_of;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!number_of.emplace(nameKey(names[k]), static_cast<std::int64_t>(k)).second) {
      return {};
    }
  }
  return number_of;
}

Expected<std::vector<std::int64_t>> fromWords(const ParsedClasses& parsed,
                                              const std::vector<std::string>& names,
                                              const FileRows& file,
                                              std::vector<std::string>& notes) {
  const NumberOf exact = exactNames(names);
  const NumberOf folded = foldedNames(names);
  std::vector<std::int64_t> numbers;
  numbers.reserve(parsed.words.size());
  std::int64_t otherwise_spelled = 0;
  for (const std::string& word : parsed.words) {
    if (word.empty()) {
      numbers.push_back(-1);
      continue;
    }
    if (names.empty() && parseNumber(word)) {
      numbers.push_back(-1);  // the word among the numbers is the wrong one
      continue;
    }
    auto found = exact.find(word);
    if (found == exact.end()) {
      ++otherwise_spelled;
      found = folded.find(nameKey(word));
      if (found == folded.end()) {
        return file.malformed(fmt::format(
            "{} has the label {}, which is not a {}; correct it",
            file.nameOf(std::ssize(numbers) / parsed.columns), inQuotes(word),
            names.empty() ? "class number" : "class of the file (its classes have other names)"));
      }
    }
    numbers.push_back(found->second);
  }
  if (otherwise_spelled > 0) {
    notes.push_back(fmt::format(
        "{} of {} classes in {} are spelled differently in the file's class names (case, spaces or "
        "dashes) and were matched",
        otherwise_spelled, parsed.words.size(), parsed.name));
  }
  return numbers;
}

/// The numbers by the names "1", "2", ...; nullopt if one of them is no name.
std::optional<std::vector<std::int64_t>> byNumericNames(const std::vector<std::int64_t>& given,
                                                        const std::vector<std::string>& names) {
  std::map<std::int64_t, std::int64_t> number_of;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (const auto number = parseInteger(names[k])) {
      number_of.emplace(*number, static_cast<std::int64_t>(k));
    }
  }
  std::vector<std::int64_t> numbers;
  for (const std::int64_t value : given) {
    const auto found = number_of.find(value);
    const bool unknown = value == kNoClass || (value == -1 && found == number_of.end());
    if (!unknown && found == number_of.end()) {
      return std::nullopt;
    }
    numbers.push_back(unknown ? -1 : found->second);
  }
  return number_of.empty() ? std::nullopt : std::optional(numbers);
}

/// Error for a label that is not a class.
tl::unexpected<Error> outOfRange(const std::vector<std::int64_t>& numbers, std::int64_t at,
                                 std::int64_t columns, std::int64_t count, const FileRows& file) {
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = -1;
  for (const std::int64_t number : numbers) {
    if (number != kNoClass) {
      low = std::min(low, number);
      high = std::max(high, number);
    }
  }
  const std::int64_t wrong = numbers[static_cast<std::size_t>(at)];
  const std::string row = file.nameOf(at / columns);
  if (count == 0) {
    return file.malformed(fmt::format("{} has the class {}; classes are 0 to {}; correct it", row,
                                      wrong, kMaxClassNumber));
  }
  return file.malformed(fmt::format(
      "{} has the label {}, but the {} classes are 0 to {}; {}", row, wrong, count, count - 1,
      low == 1 && high == count ? "they seem to count from 1: subtract 1"
                                : "correct it, or write -1 if the class is unknown"));
}

}  // namespace

Expected<std::vector<std::int64_t>> ClassRule::numbersOf(const ParsedClasses& parsed,
                                                         const FileRows& file,
                                                         std::vector<std::string>& notes) const {
  if (parsed.byName()) {
    return fromWords(parsed, names, file, notes);
  }
  if (!parsed.one_hot && !names.empty()) {
    if (auto numbers = byNumericNames(parsed.numbers, names)) {
      return *std::move(numbers);
    }
  }
  const std::int64_t last = count > 0 ? count - 1 : kMaxClassNumber;
  std::vector<std::int64_t> numbers = parsed.numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::int64_t& number = numbers[i];
    if (number == kNoClass) {
      number = -1;
    } else if (signs && number == -1) {
      number = 0;
    } else if (number < -1 || number > last) {
      return outOfRange(parsed.numbers, static_cast<std::int64_t>(i), parsed.columns, count, file);
    }
  }
  return numbers;
}

bool areSigns(const ParsedClasses* labels, const ParsedClasses* predicted, std::int64_t count) {
  const auto numbersOf = [](const ParsedClasses* parsed) {
    return parsed == nullptr || parsed->byName() || parsed->one_hot ? std::set<std::int64_t>{}
                                                                    : parsed->distinctNumbers();
  };
  const std::set<std::int64_t> both{-1, 1};
  const std::set<std::int64_t> of_labels = numbersOf(labels);
  const std::set<std::int64_t> of_predicted = numbersOf(predicted);
  // A prediction is never unknown.
  if (of_predicted.contains(-1)) {
    return std::ranges::includes(both, of_predicted) && std::ranges::includes(both, of_labels);
  }
  return count == 2 && of_labels == both;
}

bool ordersAgree(std::span<const std::int64_t> named, std::span<const std::int64_t> numbered,
                 std::int64_t count) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> pairs;
  std::int64_t equal = 0;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (named[i] >= 0 && numbered[i] >= 0) {
      ++pairs[{named[i], numbered[i]}];
      equal += named[i] == numbered[i] ? 1 : 0;
    }
  }
  // The assignment that takes the most frequent pairs first.
  std::vector<std::pair<std::int64_t, std::pair<std::int64_t, std::int64_t>>> by_count;
  for (const auto& [pair, items] : pairs) {
    by_count.emplace_back(-items, pair);
  }
  std::ranges::sort(by_count);
  std::vector<bool> name_taken(static_cast<std::size_t>(count), false);
  std::vector<bool> number_taken(static_cast<std::size_t>(count), false);
  std::int64_t best = 0;
  for (const auto& [items, pair] : by_count) {
    const auto name = static_cast<std::size_t>(pair.first);
    const auto number = static_cast<std::size_t>(pair.second);
    if (pair.first < count && pair.second < count && !name_taken[name] && !number_taken[number]) {
      name_taken[name] = number_taken[number] = true;
      best -= items;
    }
  }
  // A network near chance level fits every assignment about equally well.
  return 2 * equal >= best &&
         static_cast<double>(best - equal) <= 3.0 * std::sqrt(static_cast<double>(best));
}

}  // namespace dubito
