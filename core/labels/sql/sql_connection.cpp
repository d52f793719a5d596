// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/sql/sql_connection.h"

#include <utility>

namespace dubito {

Expected<std::vector<SqlRow>> SqlConnection::rows(const std::string& statement,
                                                  std::span<const SqlValue> parameters) {
  std::vector<SqlRow> all;
  if (Status done = query(statement, parameters, [&](const SqlRow& row) { all.push_back(row); });
      !done) {
    return failWith(done);
  }
  return all;
}

Expected<std::optional<std::int64_t>> SqlConnection::integer(const std::string& statement,
                                                             std::span<const SqlValue> parameters) {
  std::optional<std::int64_t> value;
  const auto take = [&](const SqlRow& row) {
    if (const auto* const number = std::get_if<std::int64_t>(&row.at(0))) {
      value = *number;
    }
  };
  if (Status done = query(statement, parameters, take); !done) {
    return failWith(done);
  }
  return value;
}

Expected<SqlTransaction> SqlTransaction::begin(SqlConnection& connection, SqlTransactionKind kind) {
  if (Status begun = connection.begin(kind); !begun) {
    return failWith(begun);
  }
  return SqlTransaction(connection);
}

SqlTransaction::SqlTransaction(SqlTransaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

SqlTransaction::~SqlTransaction() {
  if (connection_ != nullptr) {
    connection_->rollback();
  }
}

Status SqlTransaction::commit() {
  SqlConnection& connection = *std::exchange(connection_, nullptr);
  Status committed = connection.commit();
  if (!committed) {
    connection.rollback();
  }
  return committed;
}

}  // namespace dubito
