// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/sql/open_connection.h"

#include "core/labels/sql/sqlite_connection.h"

#ifdef DUBITO_HAS_POSTGRES
#include "core/labels/sql/postgres_connection.h"
#include "core/labels/sql/postgres_library_pq.h"
#else
#include "core/labels/sql/postgres_error.h"
#endif

namespace dubito {

bool isServerAddress(const std::string& place) {
  return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

std::string serversUnsupportedReason() {
#ifdef DUBITO_HAS_POSTGRES
  const auto library = postgresLibrary();
  return library ? std::string() : library.error().message;
#else
  return "this program was built without PostgreSQL's client library; build it with libpq-dev "
         "installed, or use a file";
#endif
}

Expected<std::unique_ptr<SqlConnection>> openConnection(const std::string& place, StoreMode mode) {
  if (!isServerAddress(place)) {
    return SqliteConnection::open(place, mode);
  }
#ifdef DUBITO_HAS_POSTGRES
  return connectToPostgres(place, mode);
#else
  return fail(ErrorCode::kUnsupported, withoutPassword(place) + ": " + serversUnsupportedReason());
#endif
}

}  // namespace dubito
