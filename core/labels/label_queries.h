// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/labels/label_rows.h"
#include "core/labels/sql/sql_connection.h"

namespace dubito {

/// All rows of a query, each read by `read`. kMalformed for values of wrong types.
template <class T>
[[nodiscard]] Expected<std::vector<T>> readRows(SqlConnection& connection,
                                                const std::string& statement,
                                                std::span<const SqlValue> parameters,
                                                T (*read)(RowReader&)) {
  std::vector<T> all;
  bool valid = true;
  const auto take = [&](const SqlRow& row) {
    RowReader reader(row);
    all.push_back(read(reader));
    valid = valid && reader.isValid();
  };
  if (Status done = connection.query(statement, parameters, take); !done) {
    return failWith(done);
  }
  if (!valid) {
    return fail(ErrorCode::kMalformed,
                connection.place() +
                    ": is damaged (it contains values of wrong types); use a "
                    "backup");
  }
  return all;
}

/// The newest entry of the journal, 0 if it is empty.
[[nodiscard]] Expected<std::int64_t> newestEntry(SqlConnection& connection);

/// Runs a statement that contains "IN (ITEMS)" for all items, many at a time.
[[nodiscard]] Status queryItems(SqlConnection& connection, const std::string& statement,
                                std::span<const std::int64_t> items,
                                const SqlConnection::TakeRow& take);

}  // namespace dubito
