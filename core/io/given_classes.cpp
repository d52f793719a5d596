// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/given_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/number_counts.h"
#include "core/io/csv.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

constexpr double kLargestNumber = 1e15;  // exact as a double

bool isUnknown(std::string_view text) {
  const std::string key = normalName(text);
  return key.empty() || key == "?" || key == "nan" || key == "none" || key == "null" ||
         key == "n/a" || key == "<na>";
}

/// pandas writes 3 as "3.0" if the column has empty cells.
std::optional<std::int64_t> wholeNumber(std::string_view text) {
  const auto number = parseNumber(text);
  if (!number || *number != std::floor(*number) || std::isinf(*number)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(std::clamp(*number, -kLargestNumber, kLargestNumber));
}

template <class Read>
bool readAll(const std::vector<std::string>& texts, Read read, std::vector<std::int64_t>& numbers) {
  numbers.clear();
  numbers.reserve(texts.size());
  for (const std::string& text : texts) {
    if (isUnknown(text)) {
      numbers.push_back(kNoClass);
      continue;
    }
    const auto number = read(text);
    if (!number) {
      return false;
    }
    numbers.push_back(*number);
  }
  return true;
}

void parseTexts(const TextArray& array, ParsedClasses& parsed) {
  std::vector<std::string> texts;
  texts.reserve(array.values.size());
  for (const std::string& value : array.values) {
    texts.emplace_back(trimmed(value));
  }
  if (readAll(texts, wholeNumber, parsed.numbers) || readAll(texts, truthValue, parsed.numbers)) {
    return;
  }
  parsed.numbers.clear();
  for (std::string& text : texts) {
    parsed.words.push_back(isUnknown(text) || text == "-1" ? std::string() : std::move(text));
  }
}

Status parseNumbers(const AnyArray& array, const FileRows& file, ParsedClasses& parsed) {
  const bool real = isReal(array);
  const Array<double> values = real ? toDouble(array) : Array<double>();
  const bool missing =
      real && std::ranges::any_of(values.values(), [](double v) { return std::isnan(v); });
  if (missing) {
    // pandas keeps a column of whole numbers with gaps as floats with NaN.
    for (const double value : values.values()) {
      if (!std::isnan(value) && (value != std::floor(value) || std::abs(value) > kLargestNumber)) {
        return file.malformed(
            fmt::format("{}: element {} is {}, not a whole number; give one "
                        "class number per item",
                        parsed.name, std::ssize(parsed.numbers), value));
      }
      parsed.numbers.push_back(std::isnan(value) ? kNoClass : static_cast<std::int64_t>(value));
    }
    return {};
  }
  const auto whole = toInt64(array, file.path + ": " + parsed.name);
  if (!whole) {
    return failWith(whole);
  }
  parsed.numbers.assign(whole->values().begin(), whole->values().end());
  return {};
}

/// Replaces rows with a single 1 among zeros by the position of the 1.
Status fromOneHot(const FileRows& file, ParsedClasses& parsed) {
  const auto width = static_cast<std::size_t>(parsed.columns);
  std::vector<std::int64_t> positions;
  for (std::size_t start = 0; start < parsed.numbers.size(); start += width) {
    const auto row = std::span(parsed.numbers).subspan(start, width);
    const auto one = std::ranges::find(row, std::int64_t{1});
    const auto zeros = std::ranges::count(row, std::int64_t{0});
    if (one == row.end() || zeros + 1 != std::ssize(row)) {
      return file.malformed(
          fmt::format("{} of {} is not one-hot (a single 1 among zeros); give one class number "
                      "per item",
                      file.nameOf(std::ssize(positions)), parsed.name));
    }
    positions.push_back(one - row.begin());
  }
  parsed.numbers = std::move(positions);
  parsed.columns = 1;
  parsed.one_hot = true;
  return {};
}

}  // namespace

const std::vector<std::int64_t>& shapeOf(const std::variant<AnyArray, TextArray>& values) {
  const auto* const numbers = std::get_if<AnyArray>(&values);
  return numbers != nullptr ? shapeOf(*numbers) : std::get<TextArray>(values).shape;
}

std::int64_t ParsedClasses::rows() const {
  return static_cast<std::int64_t>(byName() ? words.size() : numbers.size()) / columns;
}

std::set<std::string> ParsedClasses::distinctWords() const {
  std::set<std::string> distinct(words.begin(), words.end());
  distinct.erase("");
  return distinct;
}

std::set<std::int64_t> ParsedClasses::distinctNumbers() const {
  NumberCounts counts;
  for (const std::int64_t number : numbers) {
    if (number != kNoClass) {
      counts.add(number);
    }
  }
  std::set<std::int64_t> distinct;
  counts.forEach([&distinct](std::int64_t number, std::int64_t) { distinct.insert(number); });
  return distinct;
}

Expected<ParsedClasses> parseClasses(const GivenClasses& given, bool ranks, const FileRows& file) {
  ParsedClasses parsed;
  parsed.name = given.name;
  parsed.columns = shapeOf(given.values).size() == 2 ? shapeOf(given.values)[1] : 1;
  if (const auto* const texts = std::get_if<TextArray>(&given.values)) {
    parseTexts(*texts, parsed);
  } else if (const Status read = parseNumbers(std::get<AnyArray>(given.values), file, parsed);
             !read) {
    return failWith(read);
  }
  if (parsed.columns > 1 && !ranks) {
    if (parsed.byName()) {
      return file.malformed(fmt::format("{} has {} texts per item; give one class per item",
                                        parsed.name, parsed.columns));
    }
    if (const Status read = fromOneHot(file, parsed); !read) {
      return failWith(read);
    }
  }
  return parsed;
}

}  // namespace dubito
