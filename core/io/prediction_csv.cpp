// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/io/csv_columns.h"
#include "core/io/prediction_columns.h"
#include "core/io/raw_predictions.h"

namespace dubito {
namespace {

/// Columns [N, M] of a table.
Expected<Array<double>> numbersOf(const CsvTable& table, const std::vector<std::size_t>& columns) {
  const auto width = static_cast<std::int64_t>(columns.size());
  Array<double> numbers = Array<double>::zeros({table.rows(), width});
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (Status sound = table.requireNumbers(columns[k]); !sound) {
      return failWith(sound);
    }
    const std::vector<double>& from = table.columns[columns[k]].numbers;
    for (std::int64_t i = 0; i < table.rows(); ++i) {
      numbers.mutableRow(i)[k] = from[static_cast<std::size_t>(i)];
    }
  }
  return numbers;
}

class CsvPredictions {
 public:
  CsvPredictions(const CsvTable& table, const PredictionColumns& columns, RunContext& context)
      : table_(table), columns_(columns), context_(context) {}

  Expected<RawPredictions> read() {
    raw_.file = table_.file;
    raw_.notes = table_.notes;
    for (const auto* more : {&columns_.scores.notes, &columns_.notes}) {
      raw_.notes.insert(raw_.notes.end(), more->begin(), more->end());
    }
    if (!columns_.unused.empty()) {
      raw_.notes.push_back(fmt::format("unused columns: {}", fmt::join(columns_.unused, ", ")));
    }
    for (const Status& status : {readScores(), readClasses(), readNumbers()}) {
      if (!status) {
        return failWith(status);
      }
    }
    return std::move(raw_);
  }

 private:
  [[nodiscard]] std::string columnName(std::size_t column) const {
    return "column " + inQuotes(table_.header[column]);
  }

  Status readScores() {
    const std::vector<std::size_t>& wanted =
        columns_.ranked ? columns_.ranked->probs : columns_.scores.columns;
    if (wanted.empty()) {
      return {};
    }
    auto scores = numbersOf(table_, wanted);
    if (!scores) {
      return failWith(scores);
    }
    raw_.scores = *std::move(scores);
    raw_.scores_are_logits = columns_.scores.are_logits;
    raw_.scores_name = wanted.size() == 1       ? columnName(wanted.front())
                       : raw_.scores_are_logits ? "the logit columns"
                       : columns_.ranked        ? "the columns " + quotedNames(table_, wanted)
                                                : "the class columns";
    raw_.class_names = columns_.scores.names;
    return {};
  }

  /// The classes in some columns, [N] or [N, M], as texts.
  Expected<GivenClasses> textsOf(const std::vector<std::size_t>& columns) const {
    auto texts = readCsvTexts(table_.file.path, columns, context_);
    if (!texts) {
      return failWith(texts);
    }
    const auto width = static_cast<std::int64_t>(columns.size());
    TextArray array{{table_.rows()}, {}};
    if (columns.size() == 1) {
      array.values = std::move(texts->front());
      return GivenClasses{columnName(columns.front()), std::move(array)};
    }
    array.shape.push_back(width);
    for (std::size_t i = 0; i < static_cast<std::size_t>(table_.rows()); ++i) {
      for (const std::vector<std::string>& column : *texts) {
        array.values.push_back(column.at(i));
      }
    }
    return GivenClasses{"the columns " + quotedNames(table_, columns), std::move(array)};
  }

  Status readClasses() {
    struct Wanted {
      std::vector<std::size_t> columns;
      std::optional<GivenClasses>* to;
    };
    const auto one = [](const std::optional<std::size_t>& column) {
      return column ? std::vector{*column} : std::vector<std::size_t>();
    };
    std::vector<Wanted> wanted{{one(columns_.label), &raw_.labels},
                               {one(columns_.prediction), &raw_.predicted},
                               {columns_.one_hot_labels, &raw_.labels}};
    if (columns_.ranked) {
      wanted.push_back({columns_.ranked->classes, &raw_.ranks});
      wanted.push_back({columns_.ranked->names, &raw_.rank_names});
    }
    for (const auto& [columns, to] : wanted) {
      if (columns.empty()) {
        continue;
      }
      auto texts = textsOf(columns);
      if (!texts) {
        return failWith(texts);
      }
      *to = *std::move(texts);
    }
    return {};
  }

  Status readNumbers() {
    if (columns_.confidence) {
      auto numbers = numbersOf(table_, {*columns_.confidence});
      if (!numbers) {
        return failWith(numbers);
      }
      raw_.confidence = NamedNumbers{columnName(*columns_.confidence), *std::move(numbers)};
    }
    if (columns_.id) {
      auto numbers = numbersOf(table_, {*columns_.id});
      if (!numbers) {
        return failWith(numbers);
      }
      return readIds();
    }
    return {};
  }

  /// As text, because a double does not hold every 64-bit number.
  Status readIds() {
    const auto texts = readCsvTexts(table_.file.path, {*columns_.id}, context_);
    if (!texts) {
      return failWith(texts);
    }
    std::vector<std::int64_t> ids;
    for (const std::string& text : texts->front()) {
      const auto id = parseInteger(text);
      if (!id) {
        return table_.file.malformed(fmt::format(
            "{} has {} in {}, which is not a whole number; correct it",
            table_.file.nameOf(std::ssize(ids)), inQuotes(text), columnName(*columns_.id)));
      }
      ids.push_back(*id);
    }
    raw_.ids = Array<std::int64_t>::fromVector(std::move(ids));
    return {};
  }

  const CsvTable& table_;
  const PredictionColumns& columns_;
  RunContext& context_;
  RawPredictions raw_;
};

}  // namespace

Expected<Run> readPredictionCsv(const std::string& path, RunContext& context) {
  const Expected<CsvTable> table = readCsvTable(path, context);
  if (!table) {
    return failWith(table);
  }
  const auto columns = findPredictionColumns(*table, context);
  if (!columns) {
    return failWith(columns);
  }
  if (!columns->ranked && columns->scores.columns.empty() &&
      (!columns->prediction || !columns->confidence)) {
    return table->file.malformed(
        fmt::format("has no columns of class probabilities (it has {}); name them prob_0, prob_1, "
                    "... or prob_CLASS, or give true_label, pred_label and confidence",
                    inQuotes(fmt::format("{}", fmt::join(table->header, ",")))));
  }
  auto raw = CsvPredictions(*table, *columns, context).read();
  return raw ? makeRun(*std::move(raw), context) : Expected<Run>(failWith(raw));
}

}  // namespace dubito
