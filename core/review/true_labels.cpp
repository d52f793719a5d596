// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/true_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/base/in_quotes.h"
#include "core/io/class_rule.h"
#include "core/io/csv.h"
#include "core/io/join_runs.h"
#include "core/io/npy.h"
#include "core/io/prediction_file.h"

namespace dubito {
namespace {

/// The rule by which the run's classes are numbered; labels in names need the run's class names.
ClassRule ruleOf(const Run& run) {
  const auto& names = run.meta.class_names;
  const std::int64_t classes = run.classCount();
  return {names, classes > 0 ? classes : std::ssize(names), false};
}

/// Class numbers of the run. Negative numbers are unknown.
Expected<std::vector<std::int64_t>> numbersFor(const Run& run, const GivenClasses& given,
                                               const FileRows& file) {
  auto parsed = parseClasses(given, false, file);
  if (!parsed) {
    return failWith(parsed);
  }
  for (std::int64_t& number : parsed->numbers) {
    number = std::max<std::int64_t>(number, -1);
  }
  std::vector<std::string> notes;
  return ruleOf(run).numbersOf(*parsed, file, notes);
}

Expected<std::vector<std::int64_t>> labelsOfNpy(const std::string& path, const Run& run) {
  auto array = readNpyOrTexts(path);
  if (!array) {
    return failWith(array);
  }
  const GivenClasses given{"the array", *std::move(array)};
  const std::vector<std::int64_t>& shape = shapeOf(given.values);
  const std::int64_t count = shape.empty() ? 1 : shape[0];
  if (count != run.itemCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} labels for {} items; give one label per item, in the order "
                            "of the run",
                            path, count, run.itemCount()));
  }
  return numbersFor(run, given, {path});
}

/// Position of the first of `names` in the header.
std::optional<std::size_t> columnOf(const CsvReader& reader,
                                    std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(reader.header(), name);
    if (found != reader.header().end()) {
      return static_cast<std::size_t>(found - reader.header().begin());
    }
  }
  return std::nullopt;
}

Expected<std::vector<std::int64_t>> labelsOfCsv(CsvReader& reader, std::size_t id_column,
                                                std::size_t label_column, const Run& run,
                                                RunContext& context) {
  FileRows file{reader.path()};
  std::vector<std::int64_t> ids;
  TextArray texts;
  std::vector<std::string_view> fields;
  for (;;) {
    const auto more = reader.next(fields);
    if (!more) {
      return failWith(more);
    }
    if (!*more) {
      break;
    }
    if (context.cancelRequested()) {
      return cancelled();
    }
    if (trimmed(fields[label_column]).empty()) {
      continue;
    }
    const auto id = parseInteger(trimmed(fields[id_column]));
    if (!id) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: line {} has {} for an id; use whole numbers", reader.path(),
                              reader.line(), inQuotes(fields[id_column])));
    }
    ids.push_back(*id);
    texts.values.emplace_back(fields[label_column]);
    file.lines.push_back(reader.line());
  }
  texts.shape = {std::ssize(ids)};
  const auto numbers = numbersFor(run, {"the column", std::move(texts)}, file);
  if (!numbers) {
    return failWith(numbers);
  }
  std::unordered_map<std::int64_t, std::size_t> row_of_id;
  for (const std::int64_t id : run.ids.values()) {
    row_of_id.emplace(id, row_of_id.size());
  }
  std::vector<std::int64_t> labels(static_cast<std::size_t>(run.itemCount()), -1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (const auto found = row_of_id.find(ids[i]); found != row_of_id.end()) {
      labels[found->second] = (*numbers)[i];
    }
  }
  return labels;
}

Expected<std::vector<std::int64_t>> labelsOfRun(const std::string& path, const Run& run,
                                                RunContext& context) {
  const auto other = openPredictions(path, context);
  if (!other) {
    return failWith(other);
  }
  const auto rows = joinRuns({run, "the run"}, {*other, path}, {.same_labels = false});
  if (!rows) {
    return failWith(rows);
  }
  std::vector<std::int64_t> labels(static_cast<std::size_t>(run.itemCount()), -1);
  for (const SharedRow& row : *rows) {
    labels[static_cast<std::size_t>(row.first)] = other->labels.data()[row.second];
  }
  return labels;
}

Expected<std::vector<std::int64_t>> readAny(const std::string& path, const Run& run,
                                            RunContext& context) {
  if (path.ends_with(".npy")) {
    return path.find(',') == std::string::npos ? labelsOfNpy(path, run)
                                               : labelsOfRun(path, run, context);
  }
  if (!path.ends_with(".csv")) {
    return labelsOfRun(path, run, context);
  }
  auto reader = CsvReader::open(path);
  if (!reader) {
    return failWith(reader);
  }
  const auto id = columnOf(*reader, {"id"});
  const auto label = columnOf(*reader, {"label", "true_label"});
  if (!id || !label) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has no column {}; give a table with the columns id and label",
                            path, id ? "label" : "id"));
  }
  return labelsOfCsv(*reader, *id, *label, run, context);
}

}  // namespace

Expected<std::vector<std::int64_t>> readTrueLabels(const std::string& path, const Run& run,
                                                   RunContext& context) {
  auto labels = readAny(path, run, context);
  if (!labels) {
    return failWith(labels);
  }
  if (std::ranges::all_of(*labels, [](std::int64_t label) { return label < 0; })) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: has no label for any item of the run; give labels of the same items",
                    path));
  }
  return labels;
}

}  // namespace dubito
