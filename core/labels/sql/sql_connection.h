// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Binary data, as opposed to text.
struct SqlBlob {
  std::string bytes;
};

/// NULL, an integer, a text in UTF-8 without NUL characters, or binary data.
using SqlValue = std::variant<std::monostate, std::int64_t, std::string, SqlBlob>;
using SqlRow = std::vector<SqlValue>;

/// The few words in which databases differ. Everything else is written once for all of them.
struct SqlDialect {
  std::string_view integer;        ///< type of 64-bit integers
  std::string_view text;           ///< type of texts
  std::string_view blob;           ///< type of binary data
  std::string_view table_options;  ///< follow the columns of CREATE TABLE
  std::string_view now_ms;         ///< the present time in ms since 1970: an integer expression
  std::string_view count_tables;   ///< SELECT of the number of tables with the name $1
  /// Statement after many rows were added to `journal`; empty: not needed.
  std::string_view after_many_rows;
  /// Statements after which the database refuses to change or delete rows of `table`.
  std::string (*append_only)(std::string_view table);
};

/// INSERT INTO `into` VALUES `values` `then`.
struct SqlInsert {
  std::string into;    ///< "table (column, ...)"
  std::string values;  ///< of one row, with the parameters of that row: "($1, 'a', $2)"
  std::string then = {};
};

enum class SqlTransactionKind {
  kRead,   ///< all queries see the same state
  kWrite,  ///< in addition, nobody else writes until it ends
};

/// A connection to a database with at most one label store. For one thread at a time.
///
/// Errors name the place and the remedy: in a write transaction kWriteFailed, else kReadFailed;
/// kMalformed for damaged data, kOutOfMemory. After an error in a transaction, roll it back; the
/// connection then remains usable. If it was lost, the next call outside of a transaction
/// reconnects.
class SqlConnection {
 public:
  using TakeRow = std::function<void(const SqlRow&)>;

  virtual ~SqlConnection() = default;
  SqlConnection() = default;
  SqlConnection(const SqlConnection&) = delete;
  SqlConnection& operator=(const SqlConnection&) = delete;

  /// As shown in messages: a path or an address without its password.
  [[nodiscard]] virtual const std::string& place() const = 0;
  /// What a user should know about the place.
  [[nodiscard]] virtual const std::vector<std::string>& notes() const = 0;
  [[nodiscard]] virtual const SqlDialect& dialect() const = 0;

  /// Version of the label store; 0 if the database is empty. kMalformed if it contains something
  /// else.
  [[nodiscard]] virtual Expected<std::int64_t> storeVersion() = 0;
  /// Marks an empty database as a label store of this version. Call in a write transaction, before
  /// creating tables.
  [[nodiscard]] virtual Status markAsStore(std::int64_t version) = 0;

  /// Runs a statement with parameters $1, $2, ...; calls `take` for each row of the result. The row
  /// is valid during the call.
  [[nodiscard]] virtual Status query(const std::string& statement,
                                     std::span<const SqlValue> parameters, const TakeRow& take) = 0;
  /// Inserts rows, many at a time.
  [[nodiscard]] virtual Status insert(const SqlInsert& statement, std::span<const SqlRow> rows) = 0;
  /// Runs several statements without parameters, separated by semicolons.
  [[nodiscard]] virtual Status runScript(const std::string& script) = 0;

  [[nodiscard]] virtual Status begin(SqlTransactionKind kind) = 0;
  /// When it returns, the transaction is on the disk.
  [[nodiscard]] virtual Status commit() = 0;
  /// Does nothing if no transaction is open.
  virtual void rollback() noexcept = 0;

  /// Copies the whole database into the new or empty file `path`; false if this kind of database
  /// cannot do that by itself.
  [[nodiscard]] virtual Expected<bool> copyFile(const std::string& path) = 0;

  /// query() with all rows as the result.
  [[nodiscard]] Expected<std::vector<SqlRow>> rows(const std::string& statement,
                                                   std::span<const SqlValue> parameters = {});
  /// query() for a single integer; nothing if there is no row or it is NULL.
  [[nodiscard]] Expected<std::optional<std::int64_t>> integer(
      const std::string& statement, std::span<const SqlValue> parameters = {});
};

/// A transaction that is rolled back unless it is committed.
class SqlTransaction {
 public:
  [[nodiscard]] static Expected<SqlTransaction> begin(SqlConnection& connection,
                                                      SqlTransactionKind kind);
  SqlTransaction(SqlTransaction&& other) noexcept;
  SqlTransaction& operator=(SqlTransaction&&) = delete;
  ~SqlTransaction();

  /// Call once. After a failure nothing of the transaction is in the database.
  [[nodiscard]] Status commit();

 private:
  explicit SqlTransaction(SqlConnection& connection) : connection_(&connection) {}

  SqlConnection* connection_;  ///< nullptr once it has ended
};

}  // namespace dubito
