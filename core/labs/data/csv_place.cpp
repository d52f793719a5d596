// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/csv_place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/in_quotes.h"

namespace dubito {

Expected<CsvPlace> parseCsvPlace(const std::string& specification,
                                 std::span<const char* const> roles) {
  CsvPlace place;
  const std::string rest = specification.substr(kCsvScheme.size());
  const std::size_t question = rest.rfind('?');
  place.path = rest.substr(0, question);
  std::string options = question == std::string::npos ? "" : rest.substr(question + 1);
  while (!options.empty()) {
    const std::size_t end = std::min(options.find('&'), options.size());
    const std::string option = options.substr(0, end);
    options.erase(0, end + 1);
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    if (equals == std::string::npos || std::ranges::find(roles, name) == roles.end()) {
      std::string form;
      for (const char* const role : roles) {
        form += fmt::format("{}{}=COLUMN", form.empty() ? '?' : '&', role);
      }
      return fail(ErrorCode::kInvalidArgument, fmt::format("{}: unknown option {}; use csv:FILE{}",
                                                           specification, inQuotes(option), form));
    }
    place.columns[name] = option.substr(equals + 1);
  }
  return place;
}

Expected<std::optional<std::size_t>> namedColumn(const CsvReader& csv, const CsvPlace& place,
                                                 const std::string& role) {
  const auto wanted = place.columns.find(role);
  if (wanted == place.columns.end()) {
    return std::optional<std::size_t>();
  }
  const auto found = std::ranges::find(csv.header(), wanted->second);
  if (found == csv.header().end()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: has no column {}; it has {}", csv.path(), inQuotes(wanted->second),
                            fmt::join(csv.header(), ", ")));
  }
  return std::optional(static_cast<std::size_t>(found - csv.header().begin()));
}

Status readRows(CsvReader& csv, const std::string& stage, RunContext& context,
                const std::function<Status(const std::vector<std::string_view>& row)>& use) {
  constexpr std::int64_t kRowsPerStep = 4096;
  std::vector<std::string_view> row;
  for (std::int64_t i = 0;; ++i) {
    if (i % kRowsPerStep == 0 &&
        context.step(stage, csv.bytesRead(), csv.bytesTotal()) == Step::kCancel) {
      return cancelled();
    }
    const auto more = csv.next(row);
    if (!more) {
      return failWith(more);
    }
    if (!*more) {
      return {};
    }
    if (Status used = use(row); !used) {
      return used;
    }
  }
}

}  // namespace dubito
