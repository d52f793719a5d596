// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/sql/sqlite_connection.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "core/base/overloaded.h"
#include "core/base/regular_file.h"
#include "core/labels/sql/network_file_system.h"
#include "core/labels/sql/sqlite_error.h"

namespace dubito {
namespace {

constexpr int kBusyTimeoutMs = 20'000;
constexpr int kJournalAttempts = 100;

std::string sqliteAppendOnly(std::string_view table) {
  return fmt::format(
      "CREATE TRIGGER {0}_update BEFORE UPDATE ON {0} BEGIN"
      "  SELECT RAISE(ABORT, '{0} only grows'); END;"
      "CREATE TRIGGER {0}_delete BEFORE DELETE ON {0} BEGIN"
      "  SELECT RAISE(ABORT, '{0} only grows'); END;",
      table);
}

constexpr SqlDialect kSqliteDialect{
    .integer = "INTEGER",
    .text = "TEXT",
    .blob = "BLOB",
    .table_options = "STRICT",
    .now_ms = "CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)",
    .count_tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1",
    .after_many_rows = "",
    .append_only = sqliteAppendOnly};

/// Clears a statement for its next use, whatever happened.
class SqliteReset {
 public:
  explicit SqliteReset(SQLite::Statement& statement) : statement_(statement) {}
  SqliteReset(const SqliteReset&) = delete;
  SqliteReset& operator=(const SqliteReset&) = delete;
  ~SqliteReset() { statement_.tryReset(); }

 private:
  SQLite::Statement& statement_;
};

SqlValue valueOf(const SQLite::Column& column) {
  switch (column.getType()) {
    case SQLITE_INTEGER:
      return column.getInt64();
    case SQLITE_TEXT: {
      const char* const text = column.getText();
      return std::string(text, static_cast<std::size_t>(column.getBytes()));
    }
    case SQLITE_BLOB: {
      const void* const bytes = column.getBlob();
      return SqlBlob{
          {static_cast<const char*>(bytes), static_cast<std::size_t>(column.getBytes())}};
    }
    default:
      return std::monostate{};
  }
}

/// The absolute path as an address that SQLite takes for a file nobody else changes.
std::string immutableUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

Expected<std::unique_ptr<SqlConnection>> SqliteConnection::open(const std::string& path,
                                                                StoreMode mode) {
  return open(path, mode, networkFileSystemAt(path));
}

Expected<std::unique_ptr<SqlConnection>> SqliteConnection::open(
    const std::string& path, StoreMode mode, const std::optional<std::string>& network) {
  if (path.empty()) {
    return fail(ErrorCode::kNotFound, "no label store is given; choose a file");
  }
  if (Status is_file = checkRegularFile(path); !is_file) {
    return failWith(is_file);
  }
  if (mode != StoreMode::kOpenOrCreate && !identityOf(path)) {
    return fail(ErrorCode::kNotFound,
                path + ": does not exist; check the path or create a new label store");
  }
  std::unique_ptr<SqliteConnection> connection(new SqliteConnection(path, mode));
  if (Status opened = connection->openFile(); !opened) {
    return failWith(opened);
  }
  Status chosen = connection->guarded([&] {
    if (connection->isOurs()) {
      connection->chooseJournal(network);
    }
  });
  if (!chosen) {
    return failWith(chosen);
  }
  return connection;
}

SqliteConnection::SqliteConnection(std::string path, StoreMode mode)
    : path_(std::move(path)),
      absolute_path_(std::filesystem::absolute(path_).string()),
      mode_(mode) {}

SqliteConnection::~SqliteConnection() {
  close();
}

void SqliteConnection::close() noexcept {
  prepared_.clear();
  database_.reset();
  if (leaves_files_) {
    tidyUp();
  }
}

void SqliteConnection::tidyUp() noexcept {
  leaves_files_ = false;
  try {
    // The last connection that may write removes the log, unless somebody else has the file open.
    SQLite::Database writer(absolute_path_, SQLITE_OPEN_READWRITE);
    (void)writer.execAndGet("PRAGMA schema_version").getInt64();
  } catch (const std::exception&) {  // empty files remain, which do no harm
  }
}

const SqlDialect& SqliteConnection::dialect() const {
  return kSqliteDialect;
}

std::optional<SqliteConnection::FileIdentity> SqliteConnection::identityOf(
    const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return FileIdentity{status.st_dev, status.st_ino};
}

Status SqliteConnection::ensureOpen() {
  if (in_transaction_) {
    return database_ ? Status()
                     : fail(ErrorCode::kWriteFailed, path_ + ": was closed; repeat the last step");
  }
  if (!database_) {
    return openFile();
  }
  // SQLite would continue in a file that was deleted, and nobody would see those decisions again.
  const std::optional<FileIdentity> present = identityOf(absolute_path_);
  if (present == identity_) {
    return {};
  }
  close();
  return openFile();
}

Status SqliteConnection::openFile() {
  // Only the first opening creates: an empty store in place of a missing one would look like loss.
  const bool creates = mode_ == StoreMode::kOpenOrCreate && !identity_;
  if (!creates && !identityOf(absolute_path_)) {
    return fail(writing_ ? ErrorCode::kWriteFailed : ErrorCode::kReadFailed,
                path_ + ": is gone; connect the drive or put the file back, and try again");
  }
  if (Status is_file = checkRegularFile(absolute_path_); !is_file) {
    return is_file;
  }
  int flags = mode_ == StoreMode::kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  flags |= creates ? SQLITE_OPEN_CREATE : 0;
  const std::string log = absolute_path_ + "-wal";
  const bool has_log = identityOf(log).has_value();
  Status opened = guarded([&] {
    database_ = std::make_unique<SQLite::Database>(absolute_path_, flags, kBusyTimeoutMs);
    configure();
  });
  if (!opened && mode_ == StoreMode::kReadOnly && opened.error().code != ErrorCode::kMalformed) {
    opened = openUnchanging();
  }
  if (!opened && creates && opened.error().code == ErrorCode::kReadFailed) {
    opened.error().code = ErrorCode::kWriteFailed;
  }
  if (opened) {
    identity_ = identityOf(absolute_path_);
    leaves_files_ = mode_ == StoreMode::kReadOnly && !has_log && identityOf(log).has_value();
  }
  return opened;
}

Status SqliteConnection::openUnchanging() {
  // A write-ahead log needs a file next to ours, which cannot be created in a read-only folder.
  // Without one, the file is complete.
  std::error_code error;
  const std::uintmax_t log_bytes = std::filesystem::file_size(absolute_path_ + "-wal", error);
  if (!error && log_bytes > 0) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{0}: cannot be read without write access to its folder, because "
                            "{0}-wal contains newer decisions; copy both files to another folder "
                            "and open the copy",
                            path_));
  }
  return guarded([&] {
    database_ = std::make_unique<SQLite::Database>(
        immutableUri(absolute_path_), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, kBusyTimeoutMs);
    configure();
  });
}

void SqliteConnection::configure() {
  database_->exec(
      "PRAGMA foreign_keys = ON;"
      "PRAGMA synchronous = FULL;"
      "PRAGMA trusted_schema = OFF;");
  // The first access to the file.
  (void)database_->execAndGet("PRAGMA schema_version").getInt64();
}

bool SqliteConnection::isOurs() {
  const auto pragma = [&](const char* name) { return database_->execAndGet(name).getInt64(); };
  return pragma("PRAGMA application_id") == kSqliteApplicationId ||
         pragma("SELECT count(*) FROM sqlite_schema") == 0;
}

void SqliteConnection::chooseJournal(const std::optional<std::string>& network) {
  if (network) {
    notes_.push_back(fmt::format(
        "{}: is on a network file system ({}); every decision is synced without a write-ahead log, "
        "which is slower; for several annotators at once, a PostgreSQL server is safer",
        path_, *network));
  }
  if (mode_ == StoreMode::kReadOnly || sqlite3_db_readonly(database_->getHandle(), "main") == 1) {
    return;
  }
  const std::string wanted = network ? "delete" : "wal";
  const auto present = [&] { return database_->execAndGet("PRAGMA journal_mode").getString(); };
  for (int attempt = 0; present() != wanted; ++attempt) {
    try {
      const std::string chosen =
          database_->execAndGet("PRAGMA journal_mode = " + wanted).getString();
      if (chosen != wanted) {
        notes_.push_back(fmt::format(
            "{}: its file system allows no write-ahead log; every decision is synced without one, "
            "which is slower",
            path_));
        return;
      }
    } catch (const SQLite::Exception& exception) {
      // Changing the mode needs the file for itself and ignores the busy timeout.
      if ((exception.getErrorCode() & 0xFF) != SQLITE_BUSY || attempt >= kJournalAttempts) {
        throw;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

template <class Work>
Status SqliteConnection::guarded(const Work& work) {
  try {
    work();
    return {};
  } catch (const SQLite::Exception& exception) {
    return failure(exception);
  }
}

tl::unexpected<Error> SqliteConnection::failure(const SQLite::Exception& exception) {
  SqliteFailure reported{
      .code = exception.getExtendedErrorCode(), .text = exception.what(), .writing = writing_};
  if ((reported.code & 0xFF) != (exception.getErrorCode() & 0xFF)) {
    reported.code = exception.getErrorCode();
  }
  if (database_) {
    reported.system_error = sqlite3_system_errno(database_->getHandle());
  } else if ((reported.code & 0xFF) == SQLITE_CANTOPEN) {
    reported.system_error = errno;
  }
  if (losesFile(reported.code)) {
    close();
  }
  return tl::unexpected<Error>(sqliteError(path_, reported));
}

Expected<std::int64_t> SqliteConnection::storeVersion() {
  if (Status ready = ensureOpen(); !ready) {
    return failWith(ready);
  }
  std::int64_t version = 0;
  bool ours = false;
  Status read = guarded([&] {
    ours = isOurs();
    version = database_->execAndGet("PRAGMA user_version").getInt64();
    version = database_->execAndGet("PRAGMA application_id").getInt64() == kSqliteApplicationId
                  ? version
                  : 0;
  });
  if (!read) {
    return failWith(read);
  }
  if (!ours) {
    return fail(ErrorCode::kMalformed,
                path_ +
                    ": is an SQLite file of another program, not a label store; choose another "
                    "file");
  }
  return version;
}

Status SqliteConnection::markAsStore(std::int64_t version) {
  return guarded([&] {
    database_->exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                kSqliteApplicationId, version));
  });
}

SqliteConnection::Prepared& SqliteConnection::prepared(const std::string& statement) {
  auto found = prepared_.find(statement);
  if (found == prepared_.end()) {
    Prepared fresh{std::make_unique<SQLite::Statement>(*database_, statement), {}};
    const int count = fresh.statement->getBindParameterCount();
    for (int i = 1; i <= count; ++i) {
      fresh.indices.push_back(fresh.statement->getIndex(fmt::format("${}", i).c_str()));
    }
    found = prepared_.emplace(statement, std::move(fresh)).first;
  }
  return found->second;
}

void SqliteConnection::bind(const Prepared& prepared, std::span<const SqlValue> parameters) {
  SQLite::Statement& statement = *prepared.statement;
  for (std::size_t i = 0; i < parameters.size() && i < prepared.indices.size(); ++i) {
    const int index = prepared.indices[i];
    std::visit(Overloaded{[&](std::monostate) { statement.bind(index); },
                          [&](std::int64_t number) { statement.bind(index, number); },
                          // The values outlive the statement's execution.
                          [&](const std::string& text) { statement.bindNoCopy(index, text); },
                          [&](const SqlBlob& blob) {
                            statement.bindNoCopy(index, blob.bytes.data(),
                                                 static_cast<int>(blob.bytes.size()));
                          }},
               parameters[i]);
  }
}

Status SqliteConnection::query(const std::string& statement, std::span<const SqlValue> parameters,
                               const TakeRow& take) {
  if (Status ready = ensureOpen(); !ready) {
    return ready;
  }
  return guarded([&] {
    const Prepared& ready = prepared(statement);
    const SqliteReset reset(*ready.statement);
    bind(ready, parameters);
    SqlRow row;
    while (ready.statement->executeStep()) {
      row.clear();
      for (int column = 0; column < ready.statement->getColumnCount(); ++column) {
        row.push_back(valueOf(ready.statement->getColumn(column)));
      }
      take(row);
    }
  });
}

Status SqliteConnection::insert(const SqlInsert& statement, std::span<const SqlRow> rows) {
  if (Status ready = ensureOpen(); !ready) {
    return ready;
  }
  return guarded([&] {
    const Prepared& ready = prepared(fmt::format("INSERT INTO {} VALUES {} {}", statement.into,
                                                 statement.values, statement.then));
    for (const SqlRow& row : rows) {
      const SqliteReset reset(*ready.statement);
      bind(ready, row);
      (void)ready.statement->executeStep();
    }
  });
}

Status SqliteConnection::runScript(const std::string& script) {
  if (Status ready = ensureOpen(); !ready) {
    return ready;
  }
  return guarded([&] { database_->exec(script); });
}

Status SqliteConnection::begin(SqlTransactionKind kind) {
  writing_ = kind == SqlTransactionKind::kWrite;
  Status begun = ensureOpen();
  if (begun) {
    begun = guarded([&] { database_->exec(writing_ ? "BEGIN IMMEDIATE" : "BEGIN"); });
  }
  in_transaction_ = begun.has_value();
  writing_ = writing_ && in_transaction_;
  return begun;
}

Status SqliteConnection::commit() {
  if (Status ready = ensureOpen(); !ready) {
    return ready;
  }
  Status committed = guarded([&] { database_->exec("COMMIT"); });
  if (committed) {
    in_transaction_ = writing_ = false;
  }
  return committed;
}

void SqliteConnection::rollback() noexcept {
  in_transaction_ = writing_ = false;
  if (database_ && sqlite3_get_autocommit(database_->getHandle()) == 0) {
    // SQLite may have rolled back by itself; a failure leaves a connection that is of no use.
    if (sqlite3_exec(database_->getHandle(), "ROLLBACK", nullptr, nullptr, nullptr) != SQLITE_OK) {
      close();
    }
  }
}

Expected<bool> SqliteConnection::copyFile(const std::string& path) {
  if (Status ready = ensureOpen(); !ready) {
    return failWith(ready);
  }
  try {
    SQLite::Statement copy(*database_, "VACUUM INTO $1");
    copy.bind(1, path);
    (void)copy.executeStep();
    return true;
  } catch (const SQLite::Exception& exception) {
    return tl::unexpected<Error>(
        sqliteError(path, {.code = exception.getExtendedErrorCode(),
                           .system_error = sqlite3_system_errno(database_->getHandle()),
                           .text = exception.what(),
                           .writing = true}));
  }
}

}  // namespace dubito
