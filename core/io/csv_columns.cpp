// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/in_quotes.h"
#include "core/base/nan.h"
#include "core/io/csv.h"

namespace dubito {
namespace {

constexpr std::int64_t kRowsPerStep = 4096;

/// Reads cells as numbers and remembers how they were written.
class CellReader {
 public:
  explicit CellReader(char separator) : decimal_comma_(separator != ',') {}

  std::optional<double> operator()(std::string_view text) {
    if (const auto number = parseNumber(text)) {
      return number;
    }
    text = trimmed(text);
    const bool percent = text.ends_with('%');
    if (percent) {
      text.remove_suffix(1);
    }
    const std::size_t comma = decimal_comma_ ? text.find(',') : std::string_view::npos;
    std::string plain(text);
    if (comma != std::string_view::npos) {
      plain[comma] = '.';
    } else if (!percent) {
      return std::nullopt;
    }
    const auto number = parseNumber(plain);
    if (number) {
      commas_ += comma != std::string_view::npos ? 1 : 0;
      percents_ += percent ? 1 : 0;
    }
    return number && percent ? std::optional(*number / 100.0) : number;
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (commas_ > 0) {
      notes.push_back(fmt::format("{} numbers have a decimal comma", commas_));
    }
    if (percents_ > 0) {
      notes.push_back(fmt::format("{} numbers are in per cent (%)", percents_));
    }
    return notes;
  }

 private:
  bool decimal_comma_;
  std::int64_t commas_ = 0;
  std::int64_t percents_ = 0;
};

}  // namespace

double CsvColumn::least() const {
  return *std::ranges::min_element(numbers);
}

double CsvColumn::largest() const {
  return *std::ranges::max_element(numbers);
}

bool CsvColumn::countsRows() const {
  if (!isNumbers() || numbers.size() < 2 || (numbers[0] != 0.0 && numbers[0] != 1.0)) {
    return false;
  }
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] != numbers[0] + static_cast<double>(i)) {
      return false;
    }
  }
  return true;
}

Status CsvTable::requireNumbers(std::size_t column) const {
  const CsvColumn& wanted = columns[column];
  if (wanted.first_text < 0) {
    return {};
  }
  return file.malformed(fmt::format("{} has {} in column {}, which is not a number; correct it",
                                    file.nameOf(wanted.first_text),
                                    inQuotes(wanted.first_text_cell), inQuotes(wanted.name)));
}

Expected<CsvTable> readCsvTable(const std::string& path, RunContext& context) {
  Expected<CsvReader> csv = CsvReader::open(path);
  if (!csv) {
    return failWith(csv);
  }
  CsvTable table;
  table.file.path = path;
  table.header = csv->header();
  for (const std::string& name : csv->header()) {
    table.columns.push_back({.name = name});
  }
  CellReader read_cell(csv->separator());
  std::vector<std::int64_t> texts(table.columns.size(), 0);
  std::vector<std::string_view> fields;
  Expected<bool> any = csv->next(fields);
  for (; any && *any; any = csv->next(fields)) {
    for (std::size_t c = 0; c < fields.size(); ++c) {
      CsvColumn& column = table.columns[c];
      // A long column of texts needs no list of numbers.
      if (texts[c] > kRowsPerStep && 2 * texts[c] > table.rows()) {
        column.numbers.clear();
        continue;
      }
      const auto number = read_cell(fields[c]);
      column.numbers.push_back(number.value_or(kNaN));
      if (!number) {
        ++texts[c];
        if (column.first_text < 0) {
          column.first_text = table.rows();
          column.first_text_cell = fields[c];
        }
      } else {
        column.whole = column.whole && *number == std::floor(*number);
      }
    }
    table.file.lines.push_back(csv->line());
    if (table.rows() % kRowsPerStep == 0 &&
        context.step("reading", csv->bytesRead(), csv->bytesTotal()) == Step::kCancel) {
      return cancelled();
    }
  }
  if (!any) {
    return failWith(any);
  }
  if (table.rows() == 0) {
    return table.file.malformed("has a header but no rows; give one row per item");
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (std::ssize(table.columns[c].numbers) != table.rows() || 2 * texts[c] > table.rows()) {
      table.columns[c].numbers.clear();
    }
  }
  table.notes = read_cell.notes();
  return table;
}

Expected<std::vector<std::vector<std::string>>> readCsvTexts(
    const std::string& path, const std::vector<std::size_t>& columns, RunContext& context) {
  std::vector<std::vector<std::string>> texts(columns.size());
  Expected<CsvReader> csv = CsvReader::open(path);
  if (!csv) {
    return failWith(csv);
  }
  std::vector<std::string_view> fields;
  Expected<bool> any = csv->next(fields);
  for (; any && *any; any = csv->next(fields)) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      texts[c].emplace_back(trimmed(fields[columns[c]]));
    }
    if (!texts.empty() && std::ssize(texts.front()) % kRowsPerStep == 0 &&
        context.step("reading", csv->bytesRead(), csv->bytesTotal()) == Step::kCancel) {
      return cancelled();
    }
  }
  if (!any) {
    return failWith(any);
  }
  return texts;
}

}  // namespace dubito
