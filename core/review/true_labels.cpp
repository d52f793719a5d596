// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/true_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/io/npy.h"
#include "core/io/prediction_file.h"
#include "core/metrics/shared_rows.h"

namespace dubito {
namespace {

/// kMalformed for a label that is not a class of the run, if its classes are known.
Status checkClass(std::int64_t label, const Run& run, const std::string& path,
                  const std::string& place) {
  if (run.classCount() == 0 || label < run.classCount()) {
    return {};
  }
  return fail(
      ErrorCode::kMalformed,
      fmt::format("{}: {} has the label {}, but the run has the classes 0 to {}; give labels "
                  "of the same dataset",
                  path, place, label, run.classCount() - 1));
}

Expected<std::vector<std::int64_t>> labelsOfNpy(const std::string& path, const Run& run) {
  const auto array = readNpy(path);
  if (!array) {
    return failWith(array);
  }
  const auto numbers = toInt64(*array, path);
  if (!numbers) {
    return failWith(numbers);
  }
  if (numbers->size() != run.itemCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} labels for {} items; give one label per item, in the order "
                            "of the run",
                            path, numbers->size(), run.itemCount()));
  }
  std::vector<std::int64_t> labels;
  for (const std::int64_t label : numbers->values()) {
    if (Status known = checkClass(label, run, path, fmt::format("row {}", labels.size())); !known) {
      return failWith(known);
    }
    labels.push_back(std::max<std::int64_t>(label, -1));
  }
  return labels;
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
  std::unordered_map<std::int64_t, std::size_t> row_of_id;
  for (const std::int64_t id : run.ids.values()) {
    row_of_id.emplace(id, row_of_id.size());
  }
  std::vector<std::int64_t> labels(static_cast<std::size_t>(run.itemCount()), -1);
  std::vector<std::string_view> fields;
  for (;;) {
    const auto more = reader.next(fields);
    if (!more) {
      return failWith(more);
    }
    if (!*more) {
      return labels;
    }
    if (context.cancelRequested()) {
      return cancelled();
    }
    if (trimmed(fields[label_column]).empty()) {
      continue;
    }
    const auto id = parseInteger(trimmed(fields[id_column]));
    const auto label = parseInteger(trimmed(fields[label_column]));
    const std::string place = fmt::format("line {}", reader.line());
    if (!id || !label) {
      return fail(
          ErrorCode::kMalformed,
          fmt::format("{}: {} has {} for {}; use whole numbers", reader.path(), place,
                      inQuotes(fields[id ? label_column : id_column]), id ? "a label" : "an id"));
    }
    if (Status known = checkClass(*label, run, reader.path(), place); !known) {
      return failWith(known);
    }
    if (const auto found = row_of_id.find(*id); found != row_of_id.end()) {
      labels[found->second] = std::max<std::int64_t>(*label, -1);
    }
  }
}

Expected<std::vector<std::int64_t>> labelsOfRun(const std::string& path, const Run& run,
                                                RunContext& context) {
  const auto other = openPredictions(path, context);
  if (!other) {
    return failWith(other);
  }
  std::vector<std::int64_t> labels(static_cast<std::size_t>(run.itemCount()), -1);
  for (const SharedRow& row : sharedRows(run, *other)) {
    const std::int64_t label = other->labels.data()[row.second];
    const std::string place = fmt::format("item {}", run.ids.data()[row.first]);
    if (Status known = checkClass(label, run, path, place); !known) {
      return failWith(known);
    }
    labels[static_cast<std::size_t>(row.first)] = label;
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
