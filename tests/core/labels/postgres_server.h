// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <string>

#include "tests/support/temp_dir.h"

namespace dubito::test {

/// A PostgreSQL server in a temporary folder, reached through a socket there. It ends with this
/// process, however that ends.
class PostgresServer {
 public:
  /// The server of this process, started at its first use.
  static PostgresServer& shared();

  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  /// Why there is no server; empty if it runs.
  [[nodiscard]] const std::string& missingReason() const { return missing_reason_; }
  /// The address of a new, empty database.
  [[nodiscard]] std::string newDatabase();
  [[nodiscard]] std::string addressOf(const std::string& database) const;

  /// Starts the server; throws std::runtime_error if it cannot.
  void start();
  /// Ends it at once, as a crash does.
  void crash();

 private:
  TempDir folder_;
  std::string programs_;
  std::string missing_reason_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  pid_t process_ = -1;
  int databases_ = 0;
};

}  // namespace dubito::test
