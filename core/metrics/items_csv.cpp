// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/items_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/io/csv.h"
#include "core/io/item_lines.h"
#include "core/io/log_rest.h"
#include "core/metrics/measure.h"

namespace dubito {
namespace {

/// One column: its name and the text for each row.
struct Column {
  std::string name;
  std::function<std::string(std::int64_t row)> text;
};

std::string numberText(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", value);
}

Column numbers(std::string name, Array<double> values) {
  return {std::move(name), [values = std::move(values)](std::int64_t row) {
            return numberText(values.data()[row]);
          }};
}

void addClassColumns(const Run& run, std::vector<Column>& columns) {
  const auto indexText = [](std::int64_t index) {
    return index < 0 ? std::string() : std::to_string(index);
  };
  const bool has_names = !run.meta.class_names.empty();
  const auto classText = [&run, has_names, indexText](std::int64_t index) {
    return has_names && index >= 0 ? csvField(run.className(index)) : indexText(index);
  };
  const std::pair<const char*, const Array<std::int64_t>*> sources[] = {
      {"label", &run.labels}, {"prediction", &run.predictions}};
  for (const auto& [name, values] : sources) {
    columns.push_back({name, [values = *values, classText](std::int64_t row) {
                         return classText(values.data()[row]);
                       }});
  }
  for (const auto& [name, values] : sources) {
    if (has_names) {
      columns.push_back(
          {fmt::format("{}_index", name), [values = *values, indexText](std::int64_t row) {
             return indexText(values.data()[row]);
           }});
    }
  }
  if (run.meta.reviewed_labels) {
    columns.push_back({"label_source", [text = csvField(describe(*run.meta.reviewed_labels))](
                                           std::int64_t) { return text; }});
  }
}

void addMeasures(const Run& run, const RunContext& context, std::vector<Column>& columns) {
  for (const Measure measure : allMeasures()) {
    const MeasureInfo& info = describe(measure);
    if (const auto values = info.compute(run, context)) {
      columns.push_back(numbers(info.key, *values));
    }
    if (measure == Measure::kConfidence) {
      columns.push_back(numbers("log_rest", logRestOf(run, context)));
    }
  }
}

std::vector<Column> columnsOf(const Run& run, const ItemPath& path_of, const RunContext& context) {
  std::vector<Column> columns;
  columns.push_back(
      {"id", [&run](std::int64_t row) { return std::to_string(run.ids.data()[row]); }});
  if (path_of) {
    columns.push_back({"path", [&path_of](std::int64_t row) { return csvField(path_of(row)); }});
  }
  addClassColumns(run, columns);
  addMeasures(run, context, columns);
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    columns.push_back({csvField("prob_" + run.className(k)),
                       [&run, k](std::int64_t row) { return numberText(run.prob(row, k)); }});
  }
  return columns;
}

}  // namespace

Status writeItemsCsv(const Run& run, std::span<const std::int64_t> rows, const ItemPath& path_of,
                     const std::string& path, RunContext& context) {
  if (std::ranges::any_of(rows,
                          [&](std::int64_t row) { return row < 0 || row >= run.itemCount(); })) {
    throw std::out_of_range("writeItemsCsv: invalid row");
  }
  const std::vector<Column> columns = columnsOf(run, path_of, context);
  std::string head;
  for (const Column& column : columns) {
    head += (head.empty() ? "" : ",") + column.name;
  }
  return writeItemLines(
      path, head, static_cast<std::int64_t>(rows.size()),
      [&](std::int64_t i) {
        std::string line;
        for (const Column& column : columns) {
          line += (&column == columns.data() ? "" : ",") +
                  column.text(rows[static_cast<std::size_t>(i)]);
        }
        return line;
      },
      context);
}

}  // namespace dubito
