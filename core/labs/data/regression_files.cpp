// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/regression_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/sample_files.h"
#include "core/io/csv.h"
#include "core/labs/data/csv_place.h"
#include "core/labs/data/regression_sets.h"

namespace dubito {
namespace {

constexpr const char* kRoles[] = {"x", "y"};
constexpr const char* kCo2File = "co2-monthly.csv";
/// With fewer points, none is kept for testing.
constexpr std::int64_t kMinPointsToSplit = 20;
/// One point in so many is kept for testing.
constexpr std::int64_t kTestStride = 5;

/// The columns of x and y.
struct ColumnPair {
  std::optional<std::size_t> x;
  std::optional<std::size_t> y;
};

/// Chooses columns that are not named: the first ones that have a number in `row`.
void chooseColumns(ColumnPair& columns, const std::vector<std::string_view>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!parseNumber(row[i]) || columns.x == i || columns.y == i) {
      continue;
    }
    if (!columns.x) {
      columns.x = i;
    } else if (!columns.y) {
      columns.y = i;
    }
  }
}

bool isFinite(std::optional<double> value) {
  return value && std::isfinite(*value);
}

/// Every so many points, so that at most kMaxLabPoints remain.
void thin(RegressionFile& file) {
  RegressionPoints& points = file.points;
  const std::int64_t stride = (points.size() + kMaxLabPoints - 1) / kMaxLabPoints;
  if (stride <= 1) {
    return;
  }
  RegressionPoints kept;
  for (std::size_t i = 0; i < points.x.size(); i += static_cast<std::size_t>(stride)) {
    kept.x.push_back(points.x[i]);
    kept.y.push_back(points.y[i]);
  }
  file.notes.push_back(fmt::format("{} of {} points are used: one in {}, in the order of the file",
                                   kept.size(), points.size(), stride));
  points = std::move(kept);
}

void splitOff(const RegressionPoints& points, RegressionData& data) {
  if (points.size() < kMinPointsToSplit) {
    data.train = points;
    return;
  }
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    RegressionPoints& part = i % kTestStride == kTestStride - 1 ? data.test : data.train;
    part.x.push_back(points.x[i]);
    part.y.push_back(points.y[i]);
  }
}

Expected<RegressionFile> readCsv(const CsvPlace& place, RunContext& context) {
  auto csv = CsvReader::open(place.path);
  if (!csv) {
    return failWith(csv);
  }
  const auto x = namedColumn(*csv, place, "x");
  const auto y = namedColumn(*csv, place, "y");
  if (!x || !y) {
    return failWith(x ? y : x);
  }
  ColumnPair columns{*x, *y};
  RegressionFile file;
  file.path = place.path;
  RegressionPoints& points = file.points;
  std::int64_t skipped = 0;
  const Status read = readRows(*csv, "Reading points", context, [&](const auto& row) -> Status {
    if (!columns.x || !columns.y) {
      chooseColumns(columns, row);
    }
    const bool complete = columns.x && columns.y;
    const auto value_x = complete ? parseNumber(row[*columns.x]) : std::nullopt;
    const auto value_y = complete ? parseNumber(row[*columns.y]) : std::nullopt;
    if (isFinite(value_x) && isFinite(value_y)) {
      points.x.push_back(*value_x);
      points.y.push_back(*value_y);
    } else {
      ++skipped;
    }
    return {};
  });
  if (!read) {
    return failWith(read);
  }
  if (skipped > 0) {
    file.notes.push_back(
        fmt::format("{} {} without two numbers left out", skipped, skipped == 1 ? "row" : "rows"));
  }
  if (points.x.empty()) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: no row has two numbers; check the columns or name them", place.path),
        {datasetSetting("x", "COLUMN"), datasetSetting("y", "COLUMN")});
  }
  file.x_label = csv->header()[*columns.x];
  file.y_label = csv->header()[*columns.y];
  return file;
}

Expected<RegressionData> readData(const CsvPlace& place, RunContext& context) {
  auto file = readCsv(place, context);
  if (!file) {
    return failWith(file);
  }
  RegressionData data;
  data.name = file->path;
  data.x_label = file->x_label;
  data.y_label = file->y_label;
  data.shown = shownAround(file->points);
  thin(*file);
  splitOff(file->points, data);
  data.notes = std::move(file->notes);
  return data;
}

}  // namespace

Expected<RegressionFile> readRegressionCsv(const std::string& place, RunContext& context) {
  const auto parsed = parseCsvPlace(std::string(kCsvScheme) + place, kRoles);
  return parsed ? readCsv(*parsed, context) : Expected<RegressionFile>(failWith(parsed));
}

Expected<RegressionData> openRegressionFile(const std::string& specification, RunContext& context) {
  if (specification.starts_with(kCsvScheme)) {
    const auto place = parseCsvPlace(specification, kRoles);
    return place ? readData(*place, context) : Expected<RegressionData>(failWith(place));
  }
  if (specification == kCo2Key) {
    const auto path = findSampleFile(kCo2File);
    if (!path) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("{}: the sample is not installed with this program; set "
                              "DUBITO_SAMPLES to the folder that has it",
                              kCo2File));
    }
    auto data = readData({*path, {{"x", "decimal_date"}, {"y", "average_ppm"}}}, context);
    if (data) {
      data->name = "CO2 at Mauna Loa";
      data->x_label = "year";
      data->y_label = "CO2 (ppm)";
    }
    return data;
  }
  std::vector<std::string> known;
  for (const RegressionSetInfo& set : regressionSets()) {
    known.emplace_back(set.key);
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: unknown data; use {}, {} or csv:FILE", inQuotes(specification),
                          fmt::join(known, ", "), kCo2Key));
}

}  // namespace dubito
