// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/csv_points.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/io/csv.h"

namespace dubito {
namespace {

/// The columns by role: two of numbers, and perhaps one of texts.
using Places = std::vector<std::optional<std::size_t>>;

constexpr std::size_t kText = 2;

Expected<Places> namedPlaces(const CsvReader& csv, const CsvPlace& place,
                             const PointColumns& columns) {
  Places places;
  for (const char* const role : columns.roles) {
    const auto named = namedColumn(csv, place, role);
    if (!named) {
      return failWith(named);
    }
    places.push_back(*named);
    const auto usual = std::ranges::find(csv.header(), role);
    if (!*named && columns.have_usual_names && usual != csv.header().end()) {
      places.back() = static_cast<std::size_t>(usual - csv.header().begin());
    }
  }
  return places;
}

bool areComplete(const Places& places) {
  return std::ranges::all_of(places, [](const auto& place) { return place.has_value(); });
}

/// Chooses the columns that are not known yet: numbers first, then the text.
void choosePlaces(const std::vector<std::string_view>& row, Places& places) {
  const auto uses = [&](std::size_t i) {
    return std::ranges::find(places, std::optional(i)) != places.end();
  };
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (uses(i) || !parseNumber(row[i])) {
      continue;
    }
    if (!places[0]) {
      places[0] = i;
    } else if (!places[1]) {
      places[1] = i;
    }
  }
  for (std::size_t i = row.size(); places.size() > kText && i-- > 0 && !places[kText];) {
    if (!uses(i)) {
      places[kText] = i;
    }
  }
}

/// The point of a row; nullopt if the row lacks one of the contents.
std::optional<CsvPoint> pointOf(const std::vector<std::string_view>& row, const Places& places) {
  const auto first = parseNumber(row[*places[0]]);
  const auto second = parseNumber(row[*places[1]]);
  if (!first || !second || !std::isfinite(*first) || !std::isfinite(*second)) {
    return std::nullopt;
  }
  const bool has_text = places.size() > kText;
  const std::string_view text = has_text ? trimmed(row[*places[kText]]) : std::string_view();
  return has_text && text.empty() ? std::nullopt : std::optional(CsvPoint{*first, *second, text});
}

}  // namespace

Expected<CsvPoints> readCsvPoints(
    const CsvPlace& place, const PointColumns& columns, RunContext& context,
    const std::function<Status(const CsvPoints& file, const CsvPoint& point)>& use) {
  auto csv = CsvReader::open(place.path);
  if (!csv) {
    return failWith(csv);
  }
  auto places = namedPlaces(*csv, place, columns);
  if (!places) {
    return failWith(places);
  }
  CsvPoints file{.path = place.path, .headings = {}, .notes = {}};
  std::int64_t used = 0;
  std::int64_t skipped = 0;
  const Status read = readRows(*csv, "Reading points", context, [&](const auto& row) -> Status {
    if (!areComplete(*places)) {
      choosePlaces(row, *places);
    }
    const auto point = areComplete(*places) ? pointOf(row, *places) : std::nullopt;
    if (!point) {
      ++skipped;
      return {};
    }
    for (std::size_t i = file.headings.size(); i < places->size(); ++i) {
      file.headings.push_back(csv->header()[*(*places)[i]]);
    }
    ++used;
    return use(file, *point);
  });
  if (!read) {
    return failWith(read);
  }
  if (skipped > 0) {
    file.notes.push_back(fmt::format("{} {} without {} left out", skipped,
                                     skipped == 1 ? "row" : "rows", columns.contents));
  }
  if (used == 0) {
    std::vector<Setting> settings;
    for (const char* const role : columns.roles) {
      settings.push_back(datasetSetting(role, "COLUMN"));
    }
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: no row has {}; check the columns or name them", place.path,
                            columns.contents),
                std::move(settings));
  }
  return file;
}

}  // namespace dubito
