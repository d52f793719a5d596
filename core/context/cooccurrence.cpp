// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/cooccurrence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/counted.h"
#include "core/base/in_quotes.h"
#include "core/context/some_names.h"
#include "core/data/items/class_mapping.h"
#include "core/io/csv.h"
#include "core/io/run_needs.h"

namespace dubito {
namespace {

tl::unexpected<Error> malformedCounts(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kMalformed, path + ": " + reason);
}

std::vector<std::string> classNamesOf(const Run& run) {
  std::vector<std::string> names;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    names.push_back(run.className(k));
  }
  return names;
}

/// A table as it is in the file.
struct CountTable {
  std::vector<std::string> columns;  ///< all names of the header but the first
  std::vector<std::string> rows;
  std::vector<std::int64_t> lines;          ///< of the rows
  std::vector<std::vector<double>> values;  ///< by row; NaN if not a number
};

/// The cells of columns that name no class may hold anything, so numbers are checked later.
Expected<CountTable> readTable(CsvReader& reader, RunContext& context) {
  CountTable table;
  for (std::size_t i = 1; i < reader.header().size(); ++i) {
    table.columns.push_back(reader.header()[i]);
  }
  std::vector<std::string_view> fields;
  for (;;) {
    const auto more = reader.next(fields);
    if (!more) {
      return failWith(more);
    }
    if (!*more) {
      return table;
    }
    if (context.step("reading", reader.bytesRead(), reader.bytesTotal()) == Step::kCancel) {
      return cancelled();
    }
    table.rows.emplace_back(trimmed(fields.front()));
    table.lines.push_back(reader.line());
    std::vector<double>& values = table.values.emplace_back();
    for (std::size_t i = 1; i < fields.size(); ++i) {
      values.push_back(parseNumber(fields[i]).value_or(std::nan("")));
    }
  }
}

/// The column of every row. kMalformed for repeated names and rows without a column.
Expected<std::vector<std::size_t>> columnsOfRows(const CountTable& table, const std::string& path) {
  std::unordered_map<std::string, std::size_t> column_of;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!column_of.emplace(table.columns[i], i).second) {
      return malformedCounts(path,
                             fmt::format("line 1 names the column {} twice; name each class once",
                                         inQuotes(table.columns[i])));
    }
  }
  std::unordered_map<std::string, std::int64_t> line_of;
  std::vector<std::size_t> columns;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& name = table.rows[row];
    const auto [seen, is_new] = line_of.emplace(name, table.lines[row]);
    if (!is_new) {
      return malformedCounts(path,
                             fmt::format("the class {} is in lines {} and {}; name each class once",
                                         inQuotes(name), seen->second, table.lines[row]));
    }
    const auto column = column_of.find(name);
    if (column == column_of.end()) {
      return malformedCounts(
          path, fmt::format("line {} is about the class {}, but no column has this name; give a "
                            "table with one row and one column for each class",
                            table.lines[row], inQuotes(name)));
    }
    columns.push_back(column->second);
  }
  if (columns.empty()) {
    return malformedCounts(path,
                           "has no rows; give a table with one row and one column for each class");
  }
  return columns;
}

/// Row of the table for each class of the run.
Expected<std::vector<std::size_t>> rowsOfClasses(const CountTable& table, const Run& run,
                                                 const std::string& path) {
  std::vector<std::size_t> rows;
  std::vector<std::string> missing;
  for (const std::string& name : classNamesOf(run)) {
    const std::int64_t row = classByName(name, table.rows);
    if (row < 0) {
      missing.push_back(name);
    } else {
      rows.push_back(static_cast<std::size_t>(row));
    }
  }
  if (!missing.empty()) {
    const bool unnamed = run.meta.class_names.empty();
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: line 1 has no {} of the run: {}; {}", path,
                    missing.size() == 1 ? "column for a class" : "columns for classes",
                    someNames(missing),
                    unnamed ? "the run has only class numbers, so name its classes (metadata of "
                              "the model), or name rows and columns 0, 1, ..."
                            : "add a row and a column for each, or rename the classes of the table "
                              "to those of the run"));
  }
  auto sorted = rows;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: line {} ({}) fits two classes of the run that differ only in case; "
                    "give both classes a row and a column",
                    path, table.lines[*twice], inQuotes(table.rows[*twice])));
  }
  return rows;
}

/// kMalformed for cells that are no counts or depend on the direction.
Status checkCells(const CountTable& table, const std::vector<std::size_t>& columns,
                  const std::vector<std::size_t>& rows, const std::string& path) {
  for (const std::size_t row : rows) {
    for (const std::size_t other : rows) {
      const double count = table.values[row][columns[other]];
      if (!std::isfinite(count) || count < 0.0) {
        return malformedCounts(
            path, fmt::format("line {}, column {} holds no count; give a number of at least 0",
                              table.lines[row], inQuotes(table.columns[columns[other]])));
      }
    }
  }
  for (const std::size_t row : rows) {
    for (const std::size_t other : rows) {
      const double count = table.values[row][columns[other]];
      const double reverse = table.values[other][columns[row]];
      if (count != reverse) {
        return malformedCounts(
            path, fmt::format("line {} counts {} with {} {} times, but line {} counts {}; being in "
                              "one scene has no direction, so make both equal",
                              table.lines[row], inQuotes(table.rows[row]),
                              inQuotes(table.rows[other]), count, table.lines[other], reverse));
      }
    }
  }
  return {};
}

bool allZero(const Array<double>& counts) {
  return std::ranges::all_of(counts.values(), [](double count) { return count == 0.0; });
}

}  // namespace

Expected<Cooccurrence> readCooccurrence(const std::string& path, const Run& run,
                                        RunContext& context) {
  if (Status usable = requireProbabilities(run, run.meta.dataset_name); !usable) {
    return failWith(usable);
  }
  auto reader = CsvReader::open(path);
  if (!reader) {
    return failWith(reader);
  }
  const auto table = readTable(*reader, context);
  if (!table) {
    return failWith(table);
  }
  const auto columns = columnsOfRows(*table, path);
  if (!columns) {
    return failWith(columns);
  }
  const auto rows = rowsOfClasses(*table, run, path);
  if (!rows) {
    return failWith(rows);
  }
  if (Status sound = checkCells(*table, *columns, *rows, path); !sound) {
    return failWith(sound);
  }
  const std::int64_t classes = run.classCount();
  Cooccurrence result{.counts = Array<double>::zeros({classes, classes}), .source = path};
  for (std::int64_t a = 0; a < classes; ++a) {
    for (std::int64_t b = 0; b < classes; ++b) {
      result.counts.mutableRow(a)[static_cast<std::size_t>(b)] =
          table->values[(*rows)[static_cast<std::size_t>(a)]]
                       [(*columns)[(*rows)[static_cast<std::size_t>(b)]]];
    }
  }
  if (allZero(result.counts)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: all counts of the classes of the run are 0; give a table in which "
                            "they were seen together",
                            path));
  }
  std::vector<std::string> unused;
  for (const std::string& column : table->columns) {
    if (std::ranges::find(table->rows, column) == table->rows.end()) {
      unused.push_back(column);
    }
  }
  if (!unused.empty()) {
    result.notes.push_back(fmt::format("Columns of {} without a row of the same name, not used: {}",
                                       path, someNames(unused)));
  }
  if (table->rows.size() > rows->size()) {
    result.notes.push_back(fmt::format(
        "{} of {} are not classes of the run and were left out",
        counted(std::ssize(table->rows) - std::ssize(*rows), "class", "classes"), path));
  }
  return result;
}

Expected<Cooccurrence> learnCooccurrence(const Run& run, const Scenes& scenes,
                                         const std::string& name, const Run& of) {
  if (Status labelled = requireLabels(run, name); !labelled) {
    return failWith(labelled);
  }
  const std::int64_t classes = of.classCount();
  if (run.classCount() != classes || classNamesOf(run) != classNamesOf(of)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has other classes than the run; learn from a run over the same "
                            "classes in the same order",
                            name));
  }
  Cooccurrence result{.counts = Array<double>::zeros({classes, classes}),
                      .source = "labels of " + name};
  std::int64_t pairs = 0;
  for (const std::vector<std::int64_t>& members : scenes.members) {
    std::vector<std::int64_t> of_class(static_cast<std::size_t>(classes));
    for (const std::int64_t row : members) {
      if (const std::int64_t label = run.labels.data()[row]; label >= 0) {
        ++of_class[static_cast<std::size_t>(label)];
      }
    }
    // Pairs by class, so that a scene of many items costs no more than K^2.
    for (std::int64_t a = 0; a < classes; ++a) {
      const std::int64_t first = of_class[static_cast<std::size_t>(a)];
      if (first == 0) {
        continue;
      }
      for (std::int64_t b = 0; b < classes; ++b) {
        const std::int64_t second = of_class[static_cast<std::size_t>(b)] - (a == b ? 1 : 0);
        result.counts.mutableRow(a)[static_cast<std::size_t>(b)] +=
            static_cast<double>(first * second);
        pairs += first * second;
      }
    }
  }
  if (pairs == 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: no two labelled items share a scene of {}, so no pair can be "
                            "counted; give scenes with several labelled items",
                            name, scenes.source));
  }
  result.notes.push_back(fmt::format("Co-occurrence counted over {} of labelled items of {}",
                                     counted(pairs / 2, "pair"), name));
  return result;
}

}  // namespace dubito
