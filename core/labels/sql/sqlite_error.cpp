// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/sql/sqlite_error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

int primaryCode(int code) {
  return code & 0xFF;
}

bool isFullDisk(const SqliteFailure& failure) {
  const bool no_space = failure.system_error == ENOSPC || failure.system_error == EDQUOT;
  return primaryCode(failure.code) == SQLITE_FULL ||
         (primaryCode(failure.code) == SQLITE_IOERR && no_space);
}

std::string systemReason(const SqliteFailure& failure) {
  return failure.system_error != 0 ? std::strerror(failure.system_error)
                                   : sqlite3_errstr(failure.code);
}

/// Reason and remedy.
std::string sqliteExplanation(const std::string& path, const SqliteFailure& failure) {
  if (isFullDisk(failure)) {
    return "cannot be written (the disk is full); free some disk space and try again";
  }
  if (failure.code == SQLITE_READONLY_DBMOVED) {
    return "was moved or deleted while it was open; put it back or open another label store";
  }
  switch (primaryCode(failure.code)) {
    case SQLITE_READONLY:
      return "cannot be written (it is read-only); allow writing to the file and its folder, or "
             "work on a copy";
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return fmt::format("cannot be opened ({}); check the path and the permissions of the folder",
                         systemReason(failure));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return "is in use by another program; wait until that has finished and try again";
    case SQLITE_IOERR:
      return fmt::format("cannot be {} ({}); check that the drive is connected and try again",
                         failure.writing ? "written" : "read", systemReason(failure));
    case SQLITE_CORRUPT:
      return fmt::format(
          "is damaged ({}); use a backup, or recover what is left with: "
          "sqlite3 '{}' .recover | sqlite3 recovered.labels",
          sqlite3_errstr(SQLITE_CORRUPT), path);
    case SQLITE_NOTADB:
      return "is not a label store; choose a file written by this program";
    case SQLITE_NOMEM:
      return "needs more memory than there is; close other programs and try again";
    default:
      return fmt::format(
          "cannot be used (SQLite: {}); check the file with: sqlite3 '{}' 'PRAGMA "
          "integrity_check'",
          shownText(failure.text, 200), path);
  }
}

ErrorCode errorCodeOf(const SqliteFailure& failure) {
  switch (primaryCode(failure.code)) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // A file whose tables differ from ours.
      return ErrorCode::kMalformed;
    case SQLITE_NOMEM:
      return ErrorCode::kOutOfMemory;
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
      return ErrorCode::kInternal;
    case SQLITE_READONLY:
    case SQLITE_FULL:
      return ErrorCode::kWriteFailed;
    default:
      return failure.writing ? ErrorCode::kWriteFailed : ErrorCode::kReadFailed;
  }
}

}  // namespace

Error sqliteError(const std::string& path, const SqliteFailure& failure) {
  return {errorCodeOf(failure), fmt::format("{}: {}", path, sqliteExplanation(path, failure)),
          fmt::format("SQLite {}: {}", failure.code, failure.text)};
}

bool losesFile(int code) {
  switch (primaryCode(code)) {
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_PROTOCOL:
      return true;
    default:
      return code == SQLITE_READONLY_DBMOVED;
  }
}

}  // namespace dubito
