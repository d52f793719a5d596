// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/sql/postgres_error.h"

#include <fmt/format.h>

#include <vector>

#include "core/base/address_passwords.h"
#include "core/base/in_quotes.h"

namespace dubito {
namespace {

/// The first line of a message, without its severity.
std::string firstLine(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  for (const std::string_view severity : {"ERROR:  ", "FATAL:  "}) {
    if (text.starts_with(severity)) {
      text.remove_prefix(severity.size());
    }
  }
  return shownText(text, 300);
}

/// Reason and remedy.
std::string postgresExplanation(const PostgresFailure& failure) {
  const std::string_view state = failure.sqlstate;
  if (!failure.connected) {
    return fmt::format(
        "has no connection to the server ({}); check the network and the server, "
        "and try again",
        firstLine(failure.text));
  }
  if (state == "53100") {
    return "cannot be written (the server's disk is full); free some space there and try again";
  }
  if (state == "25006") {
    return "cannot be written (it is read-only); open it for writing, on the primary server";
  }
  if (state == "42501") {
    return fmt::format("refuses access ({}); ask its administrator for the right to use the schema",
                       firstLine(failure.text));
  }
  if (state == "55P03" || state == "40P01") {
    return "is in use by another program; wait until that has finished and try again";
  }
  if (state.starts_with("XX")) {
    return fmt::format("is damaged ({}); ask its administrator for a backup",
                       firstLine(failure.text));
  }
  return fmt::format("cannot be used ({}); ask the server's administrator",
                     firstLine(failure.text));
}

ErrorCode postgresErrorCode(const PostgresFailure& failure) {
  const std::string_view state = failure.sqlstate;
  if (state.starts_with("XX") || state.starts_with("42P") || state == "42703") {
    return ErrorCode::kMalformed;
  }
  if (state == "53200") {
    return ErrorCode::kOutOfMemory;
  }
  if (state.starts_with("23") || state == "P0001") {
    return ErrorCode::kInternal;
  }
  return failure.writing || state == "25006" ? ErrorCode::kWriteFailed : ErrorCode::kReadFailed;
}

}  // namespace

Error postgresError(const std::string& place, const PostgresFailure& failure) {
  return {postgresErrorCode(failure), fmt::format("{}: {}", place, postgresExplanation(failure)),
          fmt::format("PostgreSQL {}: {}", failure.sqlstate, failure.text)};
}

std::string withoutPassword(std::string_view address) {
  std::string shown(address);
  const std::vector<PasswordSpan> passwords = passwordsIn(address);
  // From the back, so that the positions before stay right.
  for (auto password = passwords.rbegin(); password != passwords.rend(); ++password) {
    const std::size_t length = password->end - password->begin;
    if (password->of_user) {
      shown.erase(password->begin - 1, length + 1);  // with its colon
    } else {
      shown.replace(password->begin, length, "...");
    }
  }
  return shown;
}

}  // namespace dubito
