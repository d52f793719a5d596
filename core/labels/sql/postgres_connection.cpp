// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/sql/postgres_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "core/base/overloaded.h"
#include "core/labels/sql/postgres_error.h"
#include "core/labels/sql/postgres_library_pq.h"

namespace dubito {
namespace {

constexpr const char* kSchema = "dubito_labels";
/// Held by the one transaction that writes. Sequence numbers then appear in their order, as on
/// SQLite; without it, readers could see a number before a lower one.
constexpr std::int64_t kWriteLock = 0x44624C62;
/// A statement may have 65 535 parameters. The server checks the constraints of a table much faster
/// for many rows of one statement than for many statements.
constexpr std::size_t kRowsPerInsert = 512;

/// Types of results, from the server's catalogue.
constexpr unsigned kBool = 16;
constexpr unsigned kBytea = 17;
constexpr unsigned kInt8 = 20;
constexpr unsigned kInt2 = 21;
constexpr unsigned kInt4 = 23;

std::string postgresAppendOnly(std::string_view table) {
  return fmt::format(
      "CREATE FUNCTION {0}_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$"
      " BEGIN RAISE EXCEPTION '{0} only grows'; END $$;"
      "CREATE TRIGGER {0}_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON {0}"
      " FOR EACH STATEMENT EXECUTE FUNCTION {0}_only_grows();",
      table);
}

constexpr SqlDialect kPostgresDialect{
    .integer = "BIGINT",
    .text = "TEXT",
    .blob = "BYTEA",
    .table_options = "",
    .now_ms = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
    .count_tables =
        "SELECT count(*) FROM information_schema.tables"
        " WHERE table_schema = current_schema() AND CAST(table_name AS TEXT) = $1",
    // Without statistics, queries for one item read the whole table.
    .after_many_rows = "ANALYZE journal",
    .append_only = postgresAppendOnly};

/// Parameters in the form of libpq: integers as text, so that the server converts them to the type
/// it expects; the rest in binary.
class PostgresParameters {
 public:
  explicit PostgresParameters(std::span<const SqlValue> values) {
    numbers_.reserve(values.size());  // Pointers into it stay valid.
    for (const SqlValue& value : values) {
      std::visit(
          Overloaded{[&](std::monostate) { add(nullptr, 0, 0); },
                     [&](std::int64_t number) {
                       numbers_.push_back(std::to_string(number));
                       add(numbers_.back().c_str(), numbers_.back().size(), 0);
                     },
                     [&](const std::string& text) { add(text.data(), text.size(), 1); },
                     [&](const SqlBlob& blob) { add(blob.bytes.data(), blob.bytes.size(), 1); }},
          value);
    }
  }

  [[nodiscard]] static PostgresParameters none() {
    return PostgresParameters(std::span<const SqlValue>());
  }

  [[nodiscard]] int count() const { return static_cast<int>(values_.size()); }
  [[nodiscard]] const char* const* values() const { return values_.data(); }
  [[nodiscard]] const int* lengths() const { return lengths_.data(); }
  [[nodiscard]] const int* formats() const { return formats_.data(); }

 private:
  void add(const char* value, std::size_t length, int format) {
    values_.push_back(value);
    lengths_.push_back(static_cast<int>(length));
    formats_.push_back(format);
  }

  std::vector<std::string> numbers_;
  std::vector<const char*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

/// One statement for `count` rows of `width` parameters each.
std::string insertOfRows(const SqlInsert& statement, std::size_t count, std::size_t width) {
  std::string text = fmt::format("INSERT INTO {} VALUES ", statement.into);
  for (std::size_t row = 0; row < count; ++row) {
    text += row == 0 ? "" : ", ";
    for (std::size_t at = 0; at < statement.values.size(); ++at) {
      text += statement.values[at];
      if (statement.values[at] != '$') {
        continue;
      }
      std::size_t number = 0;
      while (at + 1 < statement.values.size() && statement.values[at + 1] >= '0' &&
             statement.values[at + 1] <= '9') {
        number = 10 * number + static_cast<std::size_t>(statement.values[++at] - '0');
      }
      text += std::to_string(number + row * width);
    }
  }
  return text + " " + statement.then;
}

/// A two's complement integer of the network's byte order.
std::int64_t integerOf(std::string_view bytes) {
  std::uint64_t value = !bytes.empty() && static_cast<signed char>(bytes[0]) < 0 ? ~0ULL : 0ULL;
  for (const char byte : bytes) {
    value = (value << 8U) | static_cast<unsigned char>(byte);
  }
  return static_cast<std::int64_t>(value);
}

class PostgresConnection final : public SqlConnection {
 public:
  PostgresConnection(const PostgresLibrary& pq, std::string address, StoreMode mode)
      : pq_(pq), address_(std::move(address)), place_(withoutPassword(address_)), mode_(mode) {}
  ~PostgresConnection() override { disconnect(); }

  [[nodiscard]] const std::string& place() const override { return place_; }
  [[nodiscard]] const std::vector<std::string>& notes() const override { return notes_; }
  [[nodiscard]] const SqlDialect& dialect() const override { return kPostgresDialect; }

  [[nodiscard]] Status connect();
  [[nodiscard]] Status noteSettings();

  [[nodiscard]] Expected<std::int64_t> storeVersion() override;
  [[nodiscard]] Status markAsStore(std::int64_t version) override;
  [[nodiscard]] Status query(const std::string& statement, std::span<const SqlValue> parameters,
                             const TakeRow& take) override;
  [[nodiscard]] Status insert(const SqlInsert& statement, std::span<const SqlRow> rows) override;
  [[nodiscard]] Status runScript(const std::string& script) override;
  [[nodiscard]] Status begin(SqlTransactionKind kind) override;
  [[nodiscard]] Status commit() override;
  void rollback() noexcept override;
  [[nodiscard]] Expected<bool> copyFile(const std::string&) override { return false; }

 private:
  using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

  [[nodiscard]] Result own(PGresult* result) const { return {result, pq_.clear}; }
  [[nodiscard]] bool isConnected() const {
    return connection_ != nullptr && !lost_ && pq_.status(connection_) == CONNECTION_OK;
  }
  void disconnect() noexcept;
  [[nodiscard]] Status ensureConnected();
  [[nodiscard]] tl::unexpected<Error> failure(const PGresult* result);
  [[nodiscard]] Status check(const Result& result);
  [[nodiscard]] Status exec(const std::string& script);
  /// Runs `work`; once more if the connection turned out to be lost and nothing depends on it.
  [[nodiscard]] Status withReconnect(const std::function<Status()>& work);
  [[nodiscard]] Expected<std::string> prepared(const std::string& statement);
  [[nodiscard]] Status queryOnce(const std::string& statement, const PostgresParameters& parameters,
                                 const TakeRow& take);
  [[nodiscard]] SqlValue valueAt(const PGresult* result, int row, int column) const;
  [[nodiscard]] Status settleLostCommit(const Error& lost);

  const PostgresLibrary& pq_;
  std::string address_;
  std::string place_;
  StoreMode mode_;
  std::vector<std::string> notes_;
  PGconn* connection_ = nullptr;
  bool lost_ = false;  ///< although libpq may not have noticed yet
  bool in_transaction_ = false;
  bool writing_ = false;
  std::string transaction_id_;  ///< of the write transaction
  std::map<std::string, std::string> prepared_;
};

void PostgresConnection::disconnect() noexcept {
  prepared_.clear();
  lost_ = false;
  if (connection_ != nullptr) {
    pq_.finish(std::exchange(connection_, nullptr));
  }
}

Status PostgresConnection::connect() {
  disconnect();
  // The address comes last, so that its parameters take precedence.
  constexpr std::array<const char*, 6> kKeywords{"application_name", "client_encoding",
                                                 "connect_timeout",  "tcp_user_timeout",
                                                 "dbname",           nullptr};
  const std::array<const char*, 6> values{"dubito", "UTF8",           "10",
                                          "20000",  address_.c_str(), nullptr};
  connection_ = pq_.connect(kKeywords.data(), values.data(), 1);
  if (connection_ == nullptr) {
    return fail(ErrorCode::kOutOfMemory, place_ +
                                             ": needs more memory than there is; close other "
                                             "programs and try again");
  }
  if (pq_.status(connection_) != CONNECTION_OK) {
    const auto error = failure(nullptr);
    disconnect();
    return error;
  }
  pq_.setNoticeProcessor(
      connection_, [](void*, const char*) {}, nullptr);
  // Compiling our queries takes a hundred times as long as running them.
  return exec(fmt::format(
      "SET search_path TO {}; SET synchronous_commit TO on; "
      "SET lock_timeout TO '20s'; SET jit TO off; SET default_transaction_read_only TO {}",
      kSchema, mode_ == StoreMode::kReadOnly ? "on" : "off"));
}

Status PostgresConnection::noteSettings() {
  const auto settings = rows("SELECT current_setting('fsync')");
  if (!settings) {
    return failWith(settings);
  }
  if (const auto* const value = std::get_if<std::string>(&settings->at(0).at(0));
      value != nullptr && *value == "off") {
    notes_.push_back(place_ +
                     ": the server does not wait for its disk (fsync = off), so that a "
                     "power failure can lose decisions");
  }
  return {};
}

Status PostgresConnection::ensureConnected() {
  if (isConnected()) {
    return {};
  }
  if (in_transaction_) {
    return fail(writing_ ? ErrorCode::kWriteFailed : ErrorCode::kReadFailed,
                place_ + ": has lost the connection to the server; try again");
  }
  return connect();
}

tl::unexpected<Error> PostgresConnection::failure(const PGresult* result) {
  PostgresFailure reported{.writing = writing_};
  if (result != nullptr) {
    if (const char* const state = pq_.resultErrorField(result, PG_DIAG_SQLSTATE)) {
      reported.sqlstate = state;
    }
    if (const char* const text = pq_.resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY)) {
      reported.text = text;
    }
  }
  if (reported.text.empty() && connection_ != nullptr) {
    reported.text = pq_.errorMessage(connection_);
  }
  // Errors of the server have a state; the others are those of the connection. A server that stops
  // says so before it closes the connection.
  lost_ = lost_ || reported.sqlstate.empty() || reported.sqlstate.starts_with("57P");
  reported.connected = isConnected();
  return tl::unexpected<Error>(postgresError(place_, reported));
}

Status PostgresConnection::check(const Result& result) {
  switch (result ? pq_.resultStatus(result.get()) : PGRES_FATAL_ERROR) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
      return {};
    default:
      return failure(result.get());
  }
}

Status PostgresConnection::exec(const std::string& script) {
  return check(own(pq_.exec(connection_, script.c_str())));
}

Status PostgresConnection::withReconnect(const std::function<Status()>& work) {
  if (Status ready = ensureConnected(); !ready) {
    return ready;
  }
  Status done = work();
  if (!done && !in_transaction_ && !isConnected()) {
    if (Status ready = connect(); !ready) {
      return ready;
    }
    done = work();
  }
  return done;
}

Expected<std::int64_t> PostgresConnection::storeVersion() {
  const auto exists = integer(
      fmt::format("SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = '{}'", kSchema));
  if (!exists) {
    return failWith(exists);
  }
  if (exists->value_or(0) == 0) {
    return 0;
  }
  const auto version = integer("SELECT max(version) FROM store_version");
  if (!version) {
    if (version.error().code == ErrorCode::kMalformed) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: the schema {} is no label store; choose another database",
                              place_, kSchema),
                  version.error().message);
    }
    return failWith(version);
  }
  return version->value_or(0);
}

Status PostgresConnection::markAsStore(std::int64_t version) {
  return exec(
      fmt::format("CREATE SCHEMA {0}; CREATE TABLE store_version (version BIGINT NOT NULL);"
                  "INSERT INTO store_version VALUES ({1})",
                  kSchema, version));
}

Expected<std::string> PostgresConnection::prepared(const std::string& statement) {
  const auto found = prepared_.find(statement);
  if (found != prepared_.end()) {
    return found->second;
  }
  const std::string name = fmt::format("s{}", prepared_.size());
  if (Status done =
          check(own(pq_.prepare(connection_, name.c_str(), statement.c_str(), 0, nullptr)));
      !done) {
    return failWith(done);
  }
  prepared_.emplace(statement, name);
  return name;
}

SqlValue PostgresConnection::valueAt(const PGresult* result, int row, int column) const {
  if (pq_.getisnull(result, row, column) != 0) {
    return std::monostate{};
  }
  const std::string_view bytes(pq_.getvalue(result, row, column),
                               static_cast<std::size_t>(pq_.getlength(result, row, column)));
  switch (pq_.ftype(result, column)) {
    case kInt2:
    case kInt4:
    case kInt8:
    case kBool:
      return integerOf(bytes);
    case kBytea:
      return SqlBlob{std::string(bytes)};
    default:
      return std::string(bytes);
  }
}

Status PostgresConnection::queryOnce(const std::string& statement,
                                     const PostgresParameters& parameters, const TakeRow& take) {
  const auto name = prepared(statement);
  if (!name) {
    return failWith(name);
  }
  const Result result =
      own(pq_.execPrepared(connection_, name->c_str(), parameters.count(), parameters.values(),
                           parameters.lengths(), parameters.formats(), 1));
  if (Status done = check(result); !done) {
    return done;
  }
  const int columns = pq_.nfields(result.get());
  SqlRow values;
  for (int row = 0; row < pq_.ntuples(result.get()); ++row) {
    values.clear();
    for (int column = 0; column < columns; ++column) {
      values.push_back(valueAt(result.get(), row, column));
    }
    take(values);
  }
  return {};
}

Status PostgresConnection::query(const std::string& statement, std::span<const SqlValue> parameters,
                                 const TakeRow& take) {
  const PostgresParameters sent(parameters);
  return withReconnect([&] { return queryOnce(statement, sent, take); });
}

Status PostgresConnection::insert(const SqlInsert& statement, std::span<const SqlRow> rows) {
  if (Status ready = ensureConnected(); !ready) {
    return ready;
  }
  // The number of rows per statement is a power of 2, so that few different ones are prepared.
  std::size_t count = kRowsPerInsert;
  while (!rows.empty()) {
    while (count > rows.size()) {
      count /= 2;
    }
    const std::size_t width = rows.front().size();
    SqlRow parameters;
    parameters.reserve(count * width);
    for (const SqlRow& row : rows.first(count)) {
      parameters.insert(parameters.end(), row.begin(), row.end());
    }
    Status done = queryOnce(insertOfRows(statement, count, width), PostgresParameters(parameters),
                            [](const SqlRow&) {});
    if (!done) {
      return done;
    }
    rows = rows.subspan(count);
  }
  return {};
}

Status PostgresConnection::runScript(const std::string& script) {
  return withReconnect([&] { return exec(script); });
}

Status PostgresConnection::begin(SqlTransactionKind kind) {
  writing_ = kind == SqlTransactionKind::kWrite;
  transaction_id_.clear();
  Status begun = withReconnect([&]() -> Status {
    if (!writing_) {
      return exec("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    }
    Status locked = exec(fmt::format("BEGIN; SELECT pg_advisory_xact_lock({})", kWriteLock));
    if (!locked) {
      return locked;
    }
    return queryOnce("SELECT CAST(pg_current_xact_id() AS TEXT)", PostgresParameters::none(),
                     [&](const SqlRow& row) { transaction_id_ = std::get<std::string>(row[0]); });
  });
  in_transaction_ = true;
  if (!begun) {
    rollback();
  }
  return begun;
}

Status PostgresConnection::commit() {
  Status committed = ensureConnected();
  if (!committed) {
    return committed;
  }
  // COMMIT of a failed transaction is answered by ROLLBACK; its statements reported the failure.
  committed = exec("COMMIT");
  if (!committed && !isConnected() && writing_) {
    committed = settleLostCommit(committed.error());
  }
  if (committed) {
    in_transaction_ = writing_ = false;
  }
  return committed;
}

/// Asks the server after a reconnect whether it had committed before the connection was lost.
Status PostgresConnection::settleLostCommit(const Error& lost) {
  std::string outcome = "unknown";
  if (connect()) {
    (void)queryOnce(fmt::format("SELECT pg_xact_status('{}'::xid8)", transaction_id_),
                    PostgresParameters::none(), [&](const SqlRow& row) {
                      if (const auto* const text = std::get_if<std::string>(&row[0])) {
                        outcome = *text;
                      }
                    });
  }
  if (outcome == "committed") {
    return {};
  }
  Error error = lost;
  if (outcome != "aborted") {
    error.message +=
        "; the last step may have been recorded, so look at the newest decisions first";
  }
  return tl::unexpected<Error>(std::move(error));
}

void PostgresConnection::rollback() noexcept {
  if (in_transaction_ && isConnected()) {
    const Result result = own(pq_.exec(connection_, "ROLLBACK"));
  }
  in_transaction_ = writing_ = false;
}

}  // namespace

Expected<std::unique_ptr<SqlConnection>> connectToPostgres(const std::string& address,
                                                           StoreMode mode) {
  const Expected<const PostgresLibrary*> library = postgresLibrary();
  if (!library) {
    return failOf(withoutPassword(address), library.error());
  }
  auto connection = std::make_unique<PostgresConnection>(**library, address, mode);
  if (Status connected = connection->connect(); !connected) {
    return failWith(connected);
  }
  if (Status noted = connection->noteSettings(); !noted) {
    return failWith(noted);
  }
  return connection;
}

}  // namespace dubito
