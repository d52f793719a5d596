// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/base/expected.h"
#include "core/labels/sql/sql_connection.h"
#include "core/labels/sql/store_mode.h"

namespace dubito {

/// Connects to a PostgreSQL server if `place` begins with postgresql:// or postgres://, else opens
/// an SQLite file.
[[nodiscard]] Expected<std::unique_ptr<SqlConnection>> openConnection(const std::string& place,
                                                                      StoreMode mode);
/// Whether `place` is the address of a server.
[[nodiscard]] bool isServerAddress(const std::string& place);
/// Why this program cannot open servers; empty if it can.
[[nodiscard]] std::string serversUnsupportedReason();

}  // namespace dubito
