// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/csv.h"

namespace dubito {

/// Beginning of the specification of a file.
inline constexpr std::string_view kCsvScheme = "csv:";

/// Path and columns of "csv:FILE?x=NAME&y=NAME".
struct CsvPlace {
  std::string path;
  std::map<std::string, std::string> columns;  ///< name of the column by role ("x")
};

/// Reads a specification that begins with kCsvScheme; `roles` are the options that may follow the
/// path. kInvalidArgument, with the allowed form, for any other option.
[[nodiscard]] Expected<CsvPlace> parseCsvPlace(const std::string& specification,
                                               std::span<const char* const> roles);

/// The column that `place` names for `role`; nullopt if it names none. kNotFound, listing the
/// columns, if the file has no such column.
[[nodiscard]] Expected<std::optional<std::size_t>> namedColumn(const CsvReader& csv,
                                                               const CsvPlace& place,
                                                               const std::string& role);

/// Hands every row of `csv` to `use`, until that fails. Steps of `context` are called `stage`.
[[nodiscard]] Status readRows(
    CsvReader& csv, const std::string& stage, RunContext& context,
    const std::function<Status(const std::vector<std::string_view>& row)>& use);

}  // namespace dubito
