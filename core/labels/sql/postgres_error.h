// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace dubito {

/// What a PostgreSQL server reported.
struct PostgresFailure {
  std::string sqlstate = {};  ///< five characters; empty: none, as for lost connections
  std::string text = {};      ///< the server's message; its first line is shown
  bool connected = true;
  bool writing = false;  ///< in a write transaction
};

/// The error for the user of the address `place`.
[[nodiscard]] Error postgresError(const std::string& place, const PostgresFailure& failure);
/// The address without its password.
[[nodiscard]] std::string withoutPassword(std::string_view address);

}  // namespace dubito
