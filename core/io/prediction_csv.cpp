// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/io/prediction_columns.h"
#include "core/io/raw_predictions.h"
#include "core/io/run_check.h"

namespace dubito {
namespace {

constexpr std::int64_t kRowsPerStep = 4096;

/// The used columns of a table. Class texts are converted when all are known.
struct Table {
  std::vector<double> scores;  ///< row by row
  std::vector<std::string> labels, predictions;
  std::vector<double> confidence;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> lines;

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(lines.size()); }
};

tl::unexpected<Error> malformedTable(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kMalformed, path + ": " + reason);
}

Status addRow(const CsvReader& csv, const PredictionColumns& columns,
              const std::vector<std::string_view>& fields, Table& table) {
  table.lines.push_back(csv.line());
  const auto complain = [&](std::size_t column, const char* what) {
    return malformedTable(
        csv.path(), fmt::format("{} has {} in column {}, which is not a {}; correct it",
                                rowName(table.rows() - 1, table.lines), inQuotes(fields[column]),
                                inQuotes(csv.header()[column]), what));
  };
  for (const std::size_t column : columns.scores) {
    const auto number = parseNumber(fields[column]);
    if (!number) {
      return complain(column, "number");
    }
    table.scores.push_back(*number);
  }
  if (columns.label) {
    table.labels.emplace_back(trimmed(fields[*columns.label]));
  }
  if (columns.scores.empty()) {
    table.predictions.emplace_back(trimmed(fields[*columns.prediction]));
    const auto number = parseNumber(fields[*columns.confidence]);
    if (!number || !(*number >= 0.0 && *number <= 1.0)) {
      return complain(*columns.confidence, "number from 0 to 1");
    }
    table.confidence.push_back(*number);
  }
  if (columns.id) {
    const auto number = parseInteger(fields[*columns.id]);
    if (!number) {
      return complain(*columns.id, "whole number");
    }
    table.ids.push_back(*number);
  }
  return {};
}

bool isUnknown(const std::string& label) {
  return label.empty() || label == "-1" || label == "?";
}

/// Class numbers of texts: by name if the classes have names and the first known text is one of
/// them, else as numbers. Unknown texts are -1.
Expected<Array<std::int64_t>> classNumbers(const std::vector<std::string>& texts,
                                           const std::vector<std::string>& names,
                                           const std::string& path,
                                           const std::vector<std::int64_t>& lines) {
  std::map<std::string, std::int64_t, std::less<>> number_of;
  for (const std::string& name : names) {
    number_of.emplace(name, static_cast<std::int64_t>(number_of.size()));
  }
  const auto known = std::ranges::find_if_not(texts, isUnknown);
  const bool by_name = known != texts.end() && number_of.contains(*known);
  std::vector<std::int64_t> numbers;
  for (const std::string& text : texts) {
    if (isUnknown(text)) {
      numbers.push_back(-1);
      continue;
    }
    const auto named = number_of.find(text);
    const auto whole = parseNumber(text);  // pandas writes 3 as "3.0" if the column has empty cells
    if (by_name ? named == number_of.end() : !whole || *whole != std::floor(*whole)) {
      return malformedTable(
          path,
          fmt::format("{} has the label {}, which is not a {}; correct it",
                      rowName(static_cast<std::int64_t>(numbers.size()), lines), inQuotes(text),
                      names.empty() ? "class number" : "class of the header"));
    }
    numbers.push_back(by_name ? named->second
                              : static_cast<std::int64_t>(std::clamp(*whole, -1e15, 1e15)));
  }
  return Array<std::int64_t>::fromVector(std::move(numbers));
}

Expected<Run> fromScores(Table table, PredictionColumns columns, RawPredictions raw,
                         RunContext& context) {
  const auto k = static_cast<std::int64_t>(columns.scores.size());
  raw.scores = Array<double>::fromVector({table.rows(), k}, std::move(table.scores));
  raw.scores_name = columns.scores_are_logits ? "the logit columns" : "the class columns";
  raw.scores_are_logits = columns.scores_are_logits;
  if (columns.label) {
    auto labels = classNumbers(table.labels, columns.class_names, raw.path, raw.lines);
    if (!labels) {
      return failWith(labels);
    }
    const auto known = std::ranges::find_if_not(table.labels, isUnknown);
    if (!columns.class_names.empty() && known != table.labels.end() &&
        std::ranges::find(columns.class_names, *known) == columns.class_names.end()) {
      raw.notes.emplace_back("numeric labels are taken in the order of the class columns");
    }
    raw.labels = std::move(*labels);
    raw.labels_name = "the label column";
  }
  if (columns.id) {
    raw.ids = Array<std::int64_t>::fromVector(std::move(table.ids));
  }
  raw.class_names = std::move(columns.class_names);
  return makeRun(std::move(raw), context);
}

/// Class names in alphabetical order if classes are given as texts; empty if all are numbers.
std::vector<std::string> namesAmong(const Table& table) {
  std::set<std::string> names;
  bool numbers = true;
  for (const auto* texts : {&table.labels, &table.predictions}) {
    for (const std::string& text : *texts) {
      if (!isUnknown(text)) {
        names.insert(text);
        numbers = numbers && parseNumber(text);
      }
    }
  }
  return numbers ? std::vector<std::string>{}
                 : std::vector<std::string>(names.begin(), names.end());
}

Expected<Run> fromConfidences(Table table, const PredictionColumns& columns, RawPredictions raw) {
  Run run;
  run.meta.class_names = namesAmong(table);
  if (!columns.label) {
    table.labels.assign(table.predictions.size(), "");
  }
  for (auto& [texts, numbers] :
       {std::pair{&table.labels, &run.labels}, {&table.predictions, &run.predictions}}) {
    auto read = classNumbers(*texts, run.meta.class_names, raw.path, raw.lines);
    if (!read) {
      return failWith(read);
    }
    *numbers = std::move(*read);
  }
  for (std::int64_t i = 0; i < table.rows(); ++i) {
    const std::int64_t predicted = run.predictions.data()[i];
    const std::int64_t label = run.labels.data()[i];
    if (predicted < 0 || label < -1 || std::max(predicted, label) > kMaxClassNumber) {
      return malformedTable(raw.path,
                            fmt::format("{} has the classes {} and {}; classes are 0 to {}",
                                        rowName(i, raw.lines), label, predicted, kMaxClassNumber));
    }
  }
  std::vector<std::int64_t> ids = std::move(table.ids);
  for (std::int64_t i = 0; !columns.id && i < table.rows(); ++i) {
    ids.push_back(i);
  }
  if (const auto twice = findDuplicate(ids)) {
    return malformedTable(raw.path, fmt::format("{} has a duplicate id; make the ids unique",
                                                rowName(*twice, raw.lines)));
  }
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  run.confidence = Array<double>::fromVector(std::move(table.confidence));
  run.meta.notes = std::move(raw.notes);
  run.meta.notes.emplace_back(
      "the file has confidences but no probabilities: metrics that need them are not computed");
  if (!run.meta.class_names.empty()) {
    run.meta.notes.emplace_back("classes are numbered in the alphabetical order of their names");
  }
  return run;
}

}  // namespace

Expected<Run> readPredictionCsv(const std::string& path, RunContext& context) {
  Expected<CsvReader> csv = CsvReader::open(path);
  if (!csv) {
    return failWith(csv);
  }
  std::vector<std::string_view> fields;
  Expected<bool> any = csv->next(fields);
  if (!any) {
    return failWith(any);
  }
  if (!*any) {
    return malformedTable(path, "has a header but no rows; give one row per item");
  }
  PredictionColumns columns = findPredictionColumns(csv->header(), fields);
  if (columns.scores.empty() && (!columns.prediction || !columns.confidence)) {
    return malformedTable(
        path,
        fmt::format("has no columns of class probabilities (it has {}); name them prob_0, prob_1, "
                    "... or prob_CLASS, or give true_label, pred_label and confidence",
                    inQuotes(fmt::format("{}", fmt::join(csv->header(), ",")))));
  }
  Table table;
  for (; any && *any; any = csv->next(fields)) {
    if (Status added = addRow(*csv, columns, fields, table); !added) {
      return failWith(added);
    }
    if (table.rows() % kRowsPerStep == 0 &&
        context.step("reading", csv->bytesRead(), csv->bytesTotal()) == Step::kCancel) {
      return cancelled();
    }
  }
  if (!any) {
    return failWith(any);
  }
  RawPredictions raw;
  raw.path = path;
  raw.lines = std::move(table.lines);
  table.lines = raw.lines;
  if (!columns.unused.empty()) {
    raw.notes.push_back(fmt::format("unused columns: {}", fmt::join(columns.unused, ", ")));
  }
  return columns.scores.empty()
             ? fromConfidences(std::move(table), columns, std::move(raw))
             : fromScores(std::move(table), std::move(columns), std::move(raw), context);
}

}  // namespace dubito
