// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/regression_files.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "core/base/find_by_key.h"
#include "core/base/in_quotes.h"
#include "core/base/sample_files.h"
#include "core/labs/data/regression_sets.h"

namespace dubito {
namespace {

constexpr const char* kRoles[] = {"x", "y"};
constexpr const char* kCo2File = "co2-monthly.csv";

Expected<RegressionFile> readCsv(const CsvPlace& place, RunContext& context) {
  RegressionPoints points;
  auto file = readCsvPoints(place, {.roles = kRoles, .contents = "two numbers"}, context,
                            [&](const CsvPoints& /*file*/, const CsvPoint& point) -> Status {
                              points.add(point.first, point.second);
                              return {};
                            });
  if (!file) {
    return failWith(file);
  }
  return RegressionFile{*std::move(file), std::move(points)};
}

Expected<RegressionData> readData(const CsvPlace& place, RunContext& context) {
  auto file = readCsv(place, context);
  if (!file) {
    return failWith(file);
  }
  RegressionData data;
  data.name = file->path;
  data.x_label = file->headings[0];
  data.y_label = file->headings[1];
  data.shown = shownAround(file->points);
  data.notes = std::move(file->notes);
  thinPoints(file->points, data.notes);
  std::tie(data.train, data.test) = splitPoints(file->points);
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
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: unknown data; use {}{} or csv:FILE", inQuotes(specification),
                          keysOf(regressionSets()), kCo2Key));
}

}  // namespace dubito
