// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/ranked_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/in_quotes.h"
#include "core/io/class_rule.h"

namespace dubito {
namespace {

/// Fewer rows may be sorted by chance or because all items have the same class.
constexpr std::int64_t kMinRowsOfRanks = 8;

/// Names by number, if every number has one; empty if there are no names or some numbers lack one.
Expected<std::vector<std::string>> namesByNumber(const ParsedClasses& ranks,
                                                 const ParsedClasses* names, std::int64_t count,
                                                 const FileRows& file) {
  if (names == nullptr || !names->byName() || names->words.size() != ranks.numbers.size()) {
    return std::vector<std::string>();
  }
  std::map<std::int64_t, std::string> name_of;
  for (std::size_t i = 0; i < ranks.numbers.size(); ++i) {
    const auto [known, added] = name_of.emplace(ranks.numbers[i], names->words[i]);
    if (!added && known->second != names->words[i]) {
      return file.malformed(fmt::format("{} names class {} {} and {}; correct {} or {}",
                                        file.nameOf(static_cast<std::int64_t>(i) / ranks.columns),
                                        ranks.numbers[i], inQuotes(known->second),
                                        inQuotes(names->words[i]), ranks.name, names->name));
    }
  }
  std::vector<std::string> by_number;
  for (const auto& [number, name] : name_of) {
    if (number == std::ssize(by_number)) {
      by_number.push_back(name);
    }
  }
  return std::ssize(by_number) == count ? by_number : std::vector<std::string>();
}

/// The first value of each item, for the case that not all classes have a rank.
void keepFirstRank(RawPredictions& raw, const ParsedClasses& ranks, std::int64_t known_classes) {
  const auto width = static_cast<std::size_t>(ranks.columns);
  const std::int64_t n = ranks.rows();
  raw.notes.push_back(fmt::format(
      "{} has the {} largest probabilities of each item only ({} classes occur): predictions and "
      "confidences are those of the first rank",
      raw.scores_name, ranks.columns, known_classes));
  GivenClasses predicted{ranks.name, TextArray{{n}, {}}};
  if (ranks.byName()) {
    auto& texts = std::get<TextArray>(predicted.values).values;
    for (std::size_t i = 0; i < ranks.words.size(); i += width) {
      texts.push_back(ranks.words[i]);
    }
  } else {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < ranks.numbers.size(); i += width) {
      numbers.push_back(ranks.numbers[i]);
    }
    predicted.values = AnyArray(Array<std::int64_t>::fromVector(std::move(numbers)));
  }
  raw.predicted = std::move(predicted);
  const Array<double> scores = toDouble(*raw.scores);
  Array<double> confidence = Array<double>::zeros({n});
  for (std::int64_t i = 0; i < n; ++i) {
    confidence.mutableData()[i] = scores.row(i)[0];
  }
  raw.confidence = NamedNumbers{raw.scores_name, std::move(confidence)};
  raw.scores.reset();
}

Array<double> inClassOrder(const Array<double>& sorted, const std::vector<std::int64_t>& numbers) {
  Array<double> ordered = Array<double>::zeros(sorted.shape());
  const auto width = static_cast<std::size_t>(sorted.extent(1));
  for (std::int64_t i = 0; i < sorted.extent(0); ++i) {
    for (std::size_t r = 0; r < width; ++r) {
      const std::int64_t k = numbers[static_cast<std::size_t>(i) * width + r];
      ordered.mutableRow(i)[static_cast<std::size_t>(k)] = sorted.row(i)[r];
    }
  }
  return ordered;
}

/// Row in which a class has two ranks or none; -1: there is none.
std::int64_t rowWithRepeatedClass(const std::vector<std::int64_t>& numbers, std::int64_t width) {
  for (std::int64_t start = 0; start < std::ssize(numbers); start += width) {
    std::vector<std::int64_t> row(numbers.begin() + start, numbers.begin() + start + width);
    std::ranges::sort(row);
    if (row.front() < 0 || std::ranges::adjacent_find(row) != row.end()) {
      return start / width;
    }
  }
  return -1;
}

}  // namespace

Status applyRanks(RawPredictions& raw) {
  if (!raw.ranks) {
    return {};
  }
  const auto ranks = parseClasses(*raw.ranks, true, raw.file);
  if (!ranks) {
    return failWith(ranks);
  }
  std::optional<ParsedClasses> names;
  if (raw.rank_names) {
    auto parsed = parseClasses(*raw.rank_names, true, raw.file);
    if (!parsed) {
      return failWith(parsed);
    }
    names = *std::move(parsed);
  }
  if (shapeOf(raw.ranks->values) != shapeOf(*raw.scores)) {
    return raw.file.malformed(
        fmt::format("{} has the shape {}, but {} has {}; give one class for "
                    "each probability",
                    ranks->name, shapeText(shapeOf(raw.ranks->values)), raw.scores_name,
                    shapeText(shapeOf(*raw.scores))));
  }
  ClassRule rule;
  const std::set<std::string> words = ranks->distinctWords();
  rule.names.assign(words.begin(), words.end());
  const auto numbers = rule.numbersOf(*ranks, raw.file, raw.notes);
  if (!numbers) {
    return failWith(numbers);
  }
  if (const std::int64_t row = rowWithRepeatedClass(*numbers, ranks->columns); row >= 0) {
    return raw.file.malformed(
        fmt::format("{} has a class twice, or none, among {}; give one class "
                    "for each probability",
                    raw.file.nameOf(row), ranks->name));
  }
  const std::int64_t classes =
      ranks->byName() ? std::ssize(words) : *std::ranges::max_element(*numbers) + 1;
  if (classes != ranks->columns) {
    // Names fit labels better than numbers, if the labels are names.
    const bool labels_have_names =
        raw.labels && std::holds_alternative<TextArray>(raw.labels->values) && names &&
        parseClasses(*raw.labels, false, raw.file).value_or(ParsedClasses()).byName();
    keepFirstRank(raw, labels_have_names ? *names : *ranks, classes);
    return {};
  }
  auto class_names = ranks->byName()
                         ? Expected<std::vector<std::string>>(rule.names)
                         : namesByNumber(*ranks, names ? &*names : nullptr, classes, raw.file);
  if (!class_names) {
    return failWith(class_names);
  }
  if (raw.class_names.empty()) {
    raw.class_names = *std::move(class_names);
  }
  raw.scores = inClassOrder(toDouble(*raw.scores), *numbers);
  raw.notes.push_back(
      fmt::format("the probabilities are sorted by rank and were brought into the order of the "
                  "classes ({} by {})",
                  raw.scores_name, ranks->name));
  return {};
}

Status rejectUnnamedRanks(const Run& run, RawPredictions& raw) {
  const std::int64_t n = run.itemCount();
  const std::int64_t k = run.classCount();
  if (raw.ranks || !raw.class_names.empty() || !run.probs || k < 3 || n < kMinRowsOfRanks) {
    return {};
  }
  const bool sorted = std::visit(
      [n](const auto& probs) {
        bool all = true;
        bool distinct = true;
        for (std::int64_t i = 0; i < n && all && distinct; ++i) {
          const auto row = probs.row(i);
          all = std::ranges::is_sorted(row, std::ranges::greater());
          distinct = row[1] > row[2];
        }
        return all && distinct;
      },
      *run.probs);
  if (!sorted) {
    return {};
  }
  const auto labels = run.labels.values();
  if (std::ranges::any_of(labels, [](std::int64_t label) { return label > 0; })) {
    return raw.file.malformed(fmt::format(
        "{} is sorted from the largest in every row, so its columns are ranks, not classes; give "
        "the class of each rank (columns index_0, index_1, ... next to prob_0, prob_1, ...) or "
        "one column per class",
        raw.scores_name));
  }
  raw.notes.push_back(
      fmt::format("{} is sorted from the largest in every row: if its columns are "
                  "ranks and not classes, the predictions are wrong",
                  raw.scores_name));
  return {};
}

}  // namespace dubito
