// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/expected.h"
#include "core/labels/sql/sql_connection.h"
#include "core/labels/sql/store_mode.h"

namespace dubito {

/// Connects to the server at `address`, postgresql://USER@HOST/DATABASE with the parameters of
/// libpq. The label store is the schema "dubito_labels" of the database; one that does not exist is
/// kNotFound unless `mode` creates it. kReadFailed if there is no connection, kUnsupported without
/// libpq.
[[nodiscard]] Expected<std::unique_ptr<SqlConnection>> connectToPostgres(const std::string& address,
                                                                         StoreMode mode);

}  // namespace dubito
