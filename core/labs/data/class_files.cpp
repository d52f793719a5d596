// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/class_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/io/csv.h"
#include "core/labs/data/csv_points.h"

namespace dubito {
namespace {

constexpr const char* kClassRoles[] = {"x1", "x2", "class"};
/// A table with more different labels has no column of classes.
constexpr std::size_t kMaxLabels = 1000;

/// Labels as they are in the file, with the points that have them.
struct LabelledRows {
  ClassPoints points;  ///< `classes` index `labels`
  std::vector<std::string> labels;
  std::map<std::string, std::int64_t, std::less<>> index_of_label;

  void add(double x1, double x2, std::string_view label) {
    auto found = index_of_label.find(label);
    if (found == index_of_label.end()) {
      found = index_of_label.emplace(label, std::ssize(labels)).first;
      labels.emplace_back(label);
    }
    points.add(x1, x2, found->second);
  }
};

/// Renumbers the classes in the order of their labels and names them.
void orderClasses(LabelledRows& rows, ClassData& data) {
  std::vector<std::optional<std::int64_t>> numbers;
  for (const std::string& label : rows.labels) {
    numbers.push_back(parseInteger(label));
  }
  const bool are_numbers = std::ranges::all_of(
      numbers, [](const auto& number) { return number && *number >= 0 && *number < 1000; });
  std::vector<std::int64_t> class_of_label(rows.labels.size());
  if (are_numbers && std::ranges::find(numbers, std::optional<std::int64_t>(0)) != numbers.end()) {
    std::int64_t max_label = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      class_of_label[i] = *numbers[i];
      max_label = std::max(max_label, *numbers[i]);
    }
    data.class_names = numberedClasses(max_label + 1);
  } else {
    std::vector<std::size_t> order(rows.labels.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return are_numbers ? *numbers[a] < *numbers[b] : rows.labels[a] < rows.labels[b];
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      class_of_label[order[i]] = static_cast<std::int64_t>(i);
      data.class_names.push_back(rows.labels[order[i]]);
    }
  }
  for (std::int64_t& c : rows.points.classes) {
    c = class_of_label[static_cast<std::size_t>(c)];
  }
}

/// Keeps points for testing unless a class would have none to learn from.
void splitClassPoints(const ClassPoints& points, ClassData& data) {
  std::tie(data.train, data.test) = splitPoints(points);
  for (std::int64_t c = 0; c < data.classes(); ++c) {
    if (std::ranges::find(data.train.classes, c) == data.train.classes.end()) {
      data.train = points;
      data.test = {};
      return;
    }
  }
}

}  // namespace

Expected<ClassData> openClassFile(const std::string& specification, RunContext& context) {
  const auto place = parseCsvPlace(specification, kClassRoles);
  if (!place) {
    return failWith(place);
  }
  LabelledRows rows;
  auto file = readCsvPoints(
      *place,
      {.roles = kClassRoles, .contents = "two numbers and a class", .have_usual_names = true},
      context, [&](const CsvPoints& csv, const CsvPoint& point) -> Status {
        rows.add(point.first, point.second, point.text);
        if (rows.labels.size() > kMaxLabels) {
          return fail(
              ErrorCode::kInvalidArgument,
              fmt::format("{}: column {} has more than {} classes; name the column of the class",
                          csv.path, csv.headings[2], kMaxLabels),
              {datasetSetting("class", "COLUMN")});
        }
        return {};
      });
  if (!file) {
    return failWith(file);
  }
  ClassData data;
  data.name = file->path;
  data.x1_label = file->headings[0];
  data.x2_label = file->headings[1];
  data.notes = std::move(file->notes);
  orderClasses(rows, data);
  thinPoints(rows.points, data.notes);
  splitClassPoints(rows.points, data);
  showAround(data);
  if (const Status checked = checkClassData(data); !checked) {
    return failWith(checked);
  }
  return data;
}

}  // namespace dubito
