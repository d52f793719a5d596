// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <libpq-fe.h>

#include "core/base/expected.h"

namespace dubito {

/// The functions of libpq that we use. The library is loaded when the first server is opened,
/// because it and the two dozen libraries behind it would slow down every start of the program.
struct PostgresLibrary {
  decltype(&PQconnectdbParams) connect = nullptr;
  decltype(&PQfinish) finish = nullptr;
  decltype(&PQstatus) status = nullptr;
  decltype(&PQerrorMessage) errorMessage = nullptr;
  decltype(&PQsetNoticeProcessor) setNoticeProcessor = nullptr;
  decltype(&PQexec) exec = nullptr;
  decltype(&PQprepare) prepare = nullptr;
  decltype(&PQexecPrepared) execPrepared = nullptr;
  decltype(&PQclear) clear = nullptr;
  decltype(&PQresultStatus) resultStatus = nullptr;
  decltype(&PQresultErrorField) resultErrorField = nullptr;
  decltype(&PQntuples) ntuples = nullptr;
  decltype(&PQnfields) nfields = nullptr;
  decltype(&PQftype) ftype = nullptr;
  decltype(&PQgetisnull) getisnull = nullptr;
  decltype(&PQgetvalue) getvalue = nullptr;
  decltype(&PQgetlength) getlength = nullptr;
};

/// The library, loaded once. kUnsupported if it is missing.
[[nodiscard]] Expected<const PostgresLibrary*> postgresLibrary();

}  // namespace dubito
