// SPDX-License-Identifier: GPL-3.0-or-later
// Errors and file systems, without a database.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cerrno>

#include "core/labels/sql/network_file_system.h"
#include "core/labels/sql/postgres_error.h"
#include "core/labels/sql/sqlite_error.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

TEST(NetworkFileSystem, IsRecognisedByItsType) {
  EXPECT_EQ(networkFileSystemOfType(0x6969), "NFS");
  EXPECT_EQ(networkFileSystemOfType(0xFF534D42), "CIFS");
  // As a 32-bit kernel reports it.
  EXPECT_EQ(networkFileSystemOfType(static_cast<std::int32_t>(0xFF534D42)), "CIFS");
  EXPECT_EQ(networkFileSystemOfType(0x65735546), "FUSE");
  EXPECT_EQ(networkFileSystemOfType(0xEF53), std::nullopt);      // ext4
  EXPECT_EQ(networkFileSystemOfType(0x01021994), std::nullopt);  // tmpfs
  EXPECT_EQ(networkFileSystemAt("/proc/self/status"), std::nullopt);
  EXPECT_EQ(networkFileSystemAt("/no/such/folder/file"), std::nullopt);
}

TEST(SqliteError, StatesFileReasonAndRemedy) {
  const auto at = [](int code, int system_error, bool writing) {
    return sqliteError(
        "a.labels",
        {.code = code, .system_error = system_error, .text = "detail", .writing = writing});
  };
  const Error full = at(SQLITE_FULL, 0, true);
  EXPECT_EQ(full.code, ErrorCode::kWriteFailed);
  EXPECT_EQ(full.message,
            "a.labels: cannot be written (the disk is full); free some disk space and try again");
  EXPECT_THAT(at(SQLITE_IOERR_SHMSIZE, ENOSPC, true).message, HasSubstr("the disk is full"));
  EXPECT_THAT(at(SQLITE_IOERR_WRITE, EDQUOT, true).message, HasSubstr("the disk is full"));

  const Error removed = at(SQLITE_IOERR_WRITE, EIO, true);
  EXPECT_EQ(removed.code, ErrorCode::kWriteFailed);
  EXPECT_EQ(removed.message,
            "a.labels: cannot be written (Input/output error); check that the drive is connected "
            "and try again");
  EXPECT_EQ(at(SQLITE_IOERR_READ, EIO, false).code, ErrorCode::kReadFailed);
  EXPECT_THAT(at(SQLITE_IOERR_READ, EIO, false).message, HasSubstr("cannot be read"));

  EXPECT_EQ(at(SQLITE_READONLY, 0, true).code, ErrorCode::kWriteFailed);
  EXPECT_THAT(at(SQLITE_READONLY, 0, true).message, HasSubstr("read-only"));
  EXPECT_THAT(at(SQLITE_READONLY_DBMOVED, 0, true).message, HasSubstr("moved or deleted"));
  EXPECT_EQ(at(SQLITE_CORRUPT, 0, false).code, ErrorCode::kMalformed);
  EXPECT_THAT(at(SQLITE_CORRUPT, 0, false).message,
              HasSubstr("recover what is left with: sqlite3 'a.labels' .recover"));
  EXPECT_EQ(at(SQLITE_NOTADB, 0, false).code, ErrorCode::kMalformed);
  EXPECT_EQ(at(SQLITE_NOMEM, 0, false).code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(at(SQLITE_BUSY, 0, true).message, HasSubstr("in use by another program"));
  EXPECT_THAT(at(SQLITE_CANTOPEN, EACCES, false).message, HasSubstr("Permission denied"));
  EXPECT_EQ(full.context, "SQLite 13: detail");
}

TEST(SqliteError, LosesTheFileWithTheDriveButNotOnAFullDisk) {
  EXPECT_TRUE(losesFile(SQLITE_IOERR_WRITE));
  EXPECT_TRUE(losesFile(SQLITE_CANTOPEN));
  EXPECT_TRUE(losesFile(SQLITE_READONLY_DBMOVED));
  EXPECT_FALSE(losesFile(SQLITE_FULL));
  EXPECT_FALSE(losesFile(SQLITE_READONLY));
  EXPECT_FALSE(losesFile(SQLITE_BUSY));
}

TEST(PostgresError, StatesAddressReasonAndRemedy) {
  const std::string place = "postgresql://ann@host/labels";
  const Error lost = postgresError(
      place, {.text = "could not connect\n\tIs it running?", .connected = false, .writing = true});
  EXPECT_EQ(lost.code, ErrorCode::kWriteFailed);
  EXPECT_EQ(lost.message, place +
                              ": has no connection to the server (could not connect); check "
                              "the network and the server, and try again");
  const auto at = [&](const char* state) {
    return postgresError(place, {.sqlstate = state, .text = "the reason", .writing = true});
  };
  EXPECT_THAT(at("53100").message, HasSubstr("the server's disk is full"));
  EXPECT_EQ(at("53100").code, ErrorCode::kWriteFailed);
  EXPECT_THAT(at("25006").message, HasSubstr("read-only"));
  EXPECT_THAT(at("42501").message, HasSubstr("refuses access (the reason)"));
  EXPECT_THAT(at("55P03").message, HasSubstr("in use by another program"));
  EXPECT_EQ(at("XX001").code, ErrorCode::kMalformed);
  EXPECT_EQ(at("42P01").code, ErrorCode::kMalformed);
  EXPECT_EQ(at("53200").code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(at("12345").message, HasSubstr("(the reason)"));
}

TEST(PostgresError, ShowsNoPasswords) {
  EXPECT_EQ(withoutPassword("postgresql://ann:se:cr@t@host:5432/labels"),
            "postgresql://ann@host:5432/labels");
  EXPECT_EQ(withoutPassword("postgresql://ann@host:5432/labels"),
            "postgresql://ann@host:5432/labels");
  EXPECT_EQ(withoutPassword("postgresql://host:5432/labels?user=ann&password=secret&x=1"),
            "postgresql://host:5432/labels?user=ann&password=...&x=1");
  EXPECT_EQ(withoutPassword("postgresql://ann:a@host/x?sslpassword=b&c=d&password=e"),
            "postgresql://ann@host/x?sslpassword=...&c=d&password=...");
  EXPECT_EQ(withoutPassword("postgresql:///labels?password=secret"),
            "postgresql:///labels?password=...");
}

}  // namespace
}  // namespace dubito
