// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// What SQLite reported.
struct SqliteFailure {
  int code = 0;          ///< extended result code
  int system_error = 0;  ///< errno of the last call of the operating system; 0: none
  std::string text = {};
  bool writing = false;  ///< in a write transaction
};

/// The error for the user of the file `path`.
[[nodiscard]] Error sqliteError(const std::string& path, const SqliteFailure& failure);
/// Whether the file has to be opened again before the next use, such as after a drive was removed.
[[nodiscard]] bool losesFile(int code);

}  // namespace dubito
