// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/ranked_columns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "core/io/csv.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

/// Columns whose names differ in one number only, by that number.
using Family = std::map<std::int64_t, std::size_t>;

/// "prob_0" as "prob_#" and 0, by the last number in the name.
std::optional<std::pair<std::string, std::int64_t>> splitName(const std::string& name) {
  const std::string normal = normalName(name);
  const std::size_t end = normal.find_last_of("0123456789");
  if (end == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t before = normal.find_last_not_of("0123456789", end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const auto number = parseInteger(normal.substr(begin, end + 1 - begin));
  if (!number || begin == 0) {
    return std::nullopt;  // a bare number is a class
  }
  return std::pair(normal.substr(0, begin) + "#" + normal.substr(end + 1), *number);
}

std::map<std::string, Family> familiesOf(const CsvTable& table) {
  std::map<std::string, Family> families;
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    if (const auto split = splitName(table.header[c])) {
      families[split->first].emplace(split->second, c);
    }
  }
  // "predicted" is the first of "predicted_2", "predicted_3".
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    const std::string name = normalName(table.header[c]);
    for (const char* const ending : {"_#", "#"}) {
      const auto family = families.find(name + ending);
      if (family != families.end() && family->second.begin()->first == 2) {
        family->second.emplace(1, c);
      }
    }
  }
  std::erase_if(families, [](const auto& entry) {
    const Family& family = entry.second;
    const std::int64_t first = family.begin()->first;
    return family.size() < 2 || first > 1 ||
           family.rbegin()->first - first + 1 != std::ssize(family);
  });
  return families;
}

std::vector<std::size_t> columnsOf(const Family& family) {
  std::vector<std::size_t> columns;
  for (const auto& [number, column] : family) {
    columns.push_back(column);
  }
  return columns;
}

bool fallsInEveryRow(const CsvTable& table, const std::vector<std::size_t>& columns) {
  if (!std::ranges::all_of(columns, [&table](std::size_t c) {
        const CsvColumn& column = table.columns[c];
        return column.isNumbers() && column.least() >= 0.0 && column.largest() <= 100.0;
      })) {
    return false;
  }
  bool fractions = false;
  for (std::int64_t i = 0; i < table.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (std::size_t r = 0; r < columns.size(); ++r) {
      const double value = table.columns[columns[r]].numbers[row];
      if (std::isnan(value)) {
        return false;
      }
      fractions = fractions || value != std::floor(value);
      if (r > 0 && !(value <= table.columns[columns[r - 1]].numbers[row])) {
        return false;
      }
    }
  }
  return fractions;
}

/// Whether the columns have different whole numbers in every row, in more than one order. (Two
/// one-hot columns have different numbers, too, but in one order if all items have one label.)
bool areClassNumbers(const CsvTable& table, const std::vector<std::size_t>& columns) {
  std::set<std::vector<double>> orders;
  for (std::int64_t i = 0; i < table.rows(); ++i) {
    std::vector<double> row;
    for (const std::size_t c : columns) {
      const CsvColumn& column = table.columns[c];
      if (!column.isNumbers() || !column.whole) {
        return false;
      }
      row.push_back(column.numbers[static_cast<std::size_t>(i)]);
    }
    if (orders.size() < 2) {
      orders.insert(row);
    }
    std::ranges::sort(row);
    if (std::ranges::adjacent_find(row) != row.end() || row.front() < 0.0) {
      return false;
    }
  }
  return columns.size() > 2 || orders.size() > 1;
}

bool areClassNames(const std::vector<std::vector<std::string>>& texts) {
  for (std::size_t i = 0; i < texts.front().size(); ++i) {
    std::set<std::string_view> row;
    for (const std::vector<std::string>& column : texts) {
      if (column[i].empty() || parseNumber(column[i]) || !row.insert(column[i]).second) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

Expected<std::optional<RankedColumns>> findRankedColumns(const CsvTable& table,
                                                         RunContext& context) {
  const std::map<std::string, Family> families = familiesOf(table);
  for (const auto& [name, family] : families) {
    const std::vector<std::size_t> probs = columnsOf(family);
    if (!fallsInEveryRow(table, probs)) {
      continue;
    }
    RankedColumns found{.probs = probs};
    for (const auto& [other_name, other] : families) {
      if (other_name == name || !std::ranges::equal(other, family, {}, &Family::value_type::first,
                                                    &Family::value_type::first)) {
        continue;
      }
      const std::vector<std::size_t> columns = columnsOf(other);
      if (found.classes.empty() && areClassNumbers(table, columns)) {
        found.classes = columns;
      } else if (found.names.empty() && std::ranges::none_of(columns, [&table](std::size_t c) {
                   return table.columns[c].isNumeric();
                 })) {
        const auto texts = readCsvTexts(table.file.path, columns, context);
        if (!texts) {
          return failWith(texts);
        }
        if (areClassNames(*texts)) {
          found.names = columns;
        }
      }
    }
    if (found.classes.empty()) {
      std::swap(found.classes, found.names);
    }
    if (!found.classes.empty()) {
      return std::optional(std::move(found));
    }
  }
  return std::optional<RankedColumns>();
}

}  // namespace dubito
