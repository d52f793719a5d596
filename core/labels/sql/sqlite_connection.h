// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/labels/sql/sql_connection.h"
#include "core/labels/sql/store_mode.h"

namespace SQLite {
class Database;
class Exception;
class Statement;
}  // namespace SQLite

namespace dubito {

/// Marks our files in the header of SQLite: "DbLb". The user_version is the version of the store.
inline constexpr std::int64_t kSqliteApplicationId = 0x44624C62;

/// An SQLite file. Commits are synced to the disk; they use a write-ahead log, except on network
/// file systems (`network`: name of the one below the file), where processes on different machines
/// could not share it.
class SqliteConnection final : public SqlConnection {
 public:
  /// kNotFound unless the file exists or `mode` creates it. A file that is no label store stays
  /// unchanged and is reported by storeVersion().
  [[nodiscard]] static Expected<std::unique_ptr<SqlConnection>> open(const std::string& path,
                                                                     StoreMode mode);
  [[nodiscard]] static Expected<std::unique_ptr<SqlConnection>> open(
      const std::string& path, StoreMode mode, const std::optional<std::string>& network);
  ~SqliteConnection() override;

  [[nodiscard]] const std::string& place() const override { return path_; }
  [[nodiscard]] const std::vector<std::string>& notes() const override { return notes_; }
  [[nodiscard]] const SqlDialect& dialect() const override;
  [[nodiscard]] Expected<std::int64_t> storeVersion() override;
  [[nodiscard]] Status markAsStore(std::int64_t version) override;
  [[nodiscard]] Status query(const std::string& statement, std::span<const SqlValue> parameters,
                             const TakeRow& take) override;
  [[nodiscard]] Status insert(const SqlInsert& statement, std::span<const SqlRow> rows) override;
  [[nodiscard]] Status runScript(const std::string& script) override;
  [[nodiscard]] Status begin(SqlTransactionKind kind) override;
  [[nodiscard]] Status commit() override;
  void rollback() noexcept override;
  [[nodiscard]] Expected<bool> copyFile(const std::string& path) override;

 private:
  /// A file, whatever its name.
  struct FileIdentity {
    dev_t device;
    ino_t inode;
    bool operator==(const FileIdentity&) const = default;
  };
  struct Prepared {
    std::unique_ptr<SQLite::Statement> statement;
    std::vector<int> indices;  ///< index of parameter $(i + 1); 0: not used
  };

  SqliteConnection(std::string path, StoreMode mode);

  [[nodiscard]] static std::optional<FileIdentity> identityOf(const std::string& path);
  /// Opens the file if it is not open, or is another one by now.
  [[nodiscard]] Status ensureOpen();
  [[nodiscard]] Status openFile();
  /// Opens a read-only file whose folder is read-only too.
  [[nodiscard]] Status openUnchanging();
  void configure();
  void chooseJournal(const std::optional<std::string>& network);
  [[nodiscard]] bool isOurs();
  Prepared& prepared(const std::string& statement);
  static void bind(const Prepared& prepared, std::span<const SqlValue> parameters);

  /// Runs `work`, which may throw SQLite::Exception.
  template <class Work>
  [[nodiscard]] Status guarded(const Work& work);
  [[nodiscard]] tl::unexpected<Error> failure(const SQLite::Exception& exception);
  void close() noexcept;
  /// Removes the files next to ours that reading has created.
  void tidyUp() noexcept;

  std::string path_;           ///< as the user wrote it
  std::string absolute_path_;  ///< for SQLite, to which ":memory:" and "file:..." mean other things
  StoreMode mode_;
  std::vector<std::string> notes_;
  std::optional<FileIdentity> identity_;
  bool leaves_files_ = false;  ///< reading has created a write-ahead log
  bool in_transaction_ = false;
  bool writing_ = false;
  std::unique_ptr<SQLite::Database> database_;  ///< nullptr: to be opened again
  std::map<std::string, Prepared> prepared_;
};

}  // namespace dubito
