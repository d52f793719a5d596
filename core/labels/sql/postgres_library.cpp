// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/sql/postgres_library_pq.h"

#include <dlfcn.h>

#include "core/base/bundled_library.h"

namespace dubito {
namespace {

class SymbolLoader {
 public:
  explicit SymbolLoader(void* library) : library_(library) {}

  template <class Function>
  void operator()(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    complete = complete && function != nullptr;
  }

  bool complete = true;

 private:
  void* library_;
};

Expected<PostgresLibrary> loadPostgresLibrary() {
  const Expected<void*> library = loadBundledLibrary("libpq.so.5");
  if (!library) {
    return fail(ErrorCode::kUnsupported,
                library.error().message + "; install PostgreSQL's client library (Debian: libpq5)");
  }
  PostgresLibrary pq;
  SymbolLoader load(*library);
  load("PQconnectdbParams", pq.connect);
  load("PQfinish", pq.finish);
  load("PQstatus", pq.status);
  load("PQerrorMessage", pq.errorMessage);
  load("PQsetNoticeProcessor", pq.setNoticeProcessor);
  load("PQexec", pq.exec);
  load("PQprepare", pq.prepare);
  load("PQexecPrepared", pq.execPrepared);
  load("PQclear", pq.clear);
  load("PQresultStatus", pq.resultStatus);
  load("PQresultErrorField", pq.resultErrorField);
  load("PQntuples", pq.ntuples);
  load("PQnfields", pq.nfields);
  load("PQftype", pq.ftype);
  load("PQgetisnull", pq.getisnull);
  load("PQgetvalue", pq.getvalue);
  load("PQgetlength", pq.getlength);
  if (!load.complete) {
    return fail(ErrorCode::kUnsupported,
                "libpq.so.5: is too old; install a newer client library of PostgreSQL");
  }
  return pq;
}

}  // namespace

Expected<const PostgresLibrary*> postgresLibrary() {
  static const Expected<PostgresLibrary> library = loadPostgresLibrary();
  if (!library) {
    return failWith(library);
  }
  return &*library;
}

}  // namespace dubito
