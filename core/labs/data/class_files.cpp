// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/class_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/labs/data/csv_place.h"
#include "core/labs/data/regression_data.h"

namespace dubito {
namespace {

constexpr const char* kClassRoles[] = {"x1", "x2", "class"};
/// With fewer points, none is kept for testing; else one in so many.
constexpr std::int64_t kMinClassPointsToSplit = 20;
constexpr std::size_t kClassTestStride = 5;
/// A table with more different labels has no column of classes.
constexpr std::size_t kMaxLabels = 1000;

/// The columns of x1, x2 and the class, in the order of kClassRoles.
struct ClassColumns {
  std::optional<std::size_t> place[3];

  [[nodiscard]] bool complete() const { return place[0] && place[1] && place[2]; }
  [[nodiscard]] bool uses(std::size_t column) const {
    return place[0] == column || place[1] == column || place[2] == column;
  }
  /// Chooses the columns that are not named: numbers first, then the class.
  void choose(const std::vector<std::string_view>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (uses(i) || !parseNumber(row[i])) {
        continue;
      }
      if (!place[0]) {
        place[0] = i;
      } else if (!place[1]) {
        place[1] = i;
      }
    }
    for (std::size_t i = row.size(); i-- > 0 && !place[2];) {
      if (!uses(i)) {
        place[2] = i;
      }
    }
  }
};

Expected<ClassColumns> columnsOf(const CsvReader& csv, const CsvPlace& place) {
  ClassColumns columns;
  for (std::size_t role = 0; role < std::size(kClassRoles); ++role) {
    const auto named = namedColumn(csv, place, kClassRoles[role]);
    if (!named) {
      return failWith(named);
    }
    columns.place[role] = *named;
    const auto usual = std::ranges::find(csv.header(), kClassRoles[role]);
    if (!*named && usual != csv.header().end()) {
      columns.place[role] = static_cast<std::size_t>(usual - csv.header().begin());
    }
  }
  return columns;
}

/// Labels as they are in the file, with the points that have them.
struct LabelledRows {
  ClassPoints points;  ///< `classes` index `labels`
  std::vector<std::string> labels;
  std::map<std::string, std::int64_t, std::less<>> index_of_label;
  std::int64_t skipped = 0;

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

Expected<LabelledRows> readLabelledRows(CsvReader& csv, ClassColumns& columns,
                                        RunContext& context) {
  LabelledRows rows;
  const Status read = readRows(csv, "Reading points", context, [&](const auto& row) -> Status {
    if (!columns.complete()) {
      columns.choose(row);
    }
    const bool complete = columns.complete();
    const auto x1 = complete ? parseNumber(row[*columns.place[0]]) : std::nullopt;
    const auto x2 = complete ? parseNumber(row[*columns.place[1]]) : std::nullopt;
    const auto label = complete ? trimmed(row[*columns.place[2]]) : std::string_view();
    if (!x1 || !x2 || !std::isfinite(*x1) || !std::isfinite(*x2) || label.empty()) {
      ++rows.skipped;
      return {};
    }
    rows.add(*x1, *x2, label);
    if (rows.labels.size() > kMaxLabels) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: column {} has more than {} classes; name the column of the class",
                      csv.path(), csv.header()[*columns.place[2]], kMaxLabels),
          {datasetSetting("class", "COLUMN")});
    }
    return {};
  });
  return read ? Expected<LabelledRows>(std::move(rows)) : Expected<LabelledRows>(failWith(read));
}

void thinClassPoints(ClassPoints& points, ClassData& data) {
  const std::int64_t stride = (points.size() + kMaxLabPoints - 1) / kMaxLabPoints;
  if (stride <= 1) {
    return;
  }
  ClassPoints kept;
  for (std::size_t i = 0; i < points.x1.size(); i += static_cast<std::size_t>(stride)) {
    kept.add(points.x1[i], points.x2[i], points.classes[i]);
  }
  data.notes.push_back(fmt::format("{} of {} points are used: one in {}, in the order of the file",
                                   kept.size(), points.size(), stride));
  points = std::move(kept);
}

void splitClassPoints(const ClassPoints& points, ClassData& data) {
  data.train = points;
  if (points.size() < kMinClassPointsToSplit) {
    return;
  }
  ClassPoints parts[2];
  for (std::size_t i = 0; i < points.x1.size(); ++i) {
    parts[i % kClassTestStride == kClassTestStride - 1 ? 1 : 0].add(points.x1[i], points.x2[i],
                                                                    points.classes[i]);
  }
  for (std::int64_t c = 0; c < data.classes(); ++c) {
    if (std::ranges::find(parts[0].classes, c) == parts[0].classes.end()) {
      return;
    }
  }
  data.train = std::move(parts[0]);
  data.test = std::move(parts[1]);
}

}  // namespace

Expected<ClassData> openClassFile(const std::string& specification, RunContext& context) {
  const auto place = parseCsvPlace(specification, kClassRoles);
  if (!place) {
    return failWith(place);
  }
  auto csv = CsvReader::open(place->path);
  if (!csv) {
    return failWith(csv);
  }
  auto columns = columnsOf(*csv, *place);
  if (!columns) {
    return failWith(columns);
  }
  auto rows = readLabelledRows(*csv, *columns, context);
  if (!rows) {
    return failWith(rows);
  }
  ClassData data;
  data.name = place->path;
  if (rows->skipped > 0) {
    data.notes.push_back(fmt::format("{} {} without two numbers and a class left out",
                                     rows->skipped, rows->skipped == 1 ? "row" : "rows"));
  }
  if (rows->points.size() == 0) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: no row has two numbers and a class; check the columns or name them",
                    place->path),
        {datasetSetting("x1", "COLUMN"), datasetSetting("x2", "COLUMN"),
         datasetSetting("class", "COLUMN")});
  }
  data.x1_label = csv->header()[*columns->place[0]];
  data.x2_label = csv->header()[*columns->place[1]];
  orderClasses(*rows, data);
  thinClassPoints(rows->points, data);
  splitClassPoints(rows->points, data);
  showAround(data);
  if (const Status checked = checkClassData(data); !checked) {
    return failWith(checked);
  }
  return data;
}

}  // namespace dubito
