// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// A file whose rows messages refer to.
struct FileRows {
  std::string path;                      ///< prefix of every message
  std::vector<std::int64_t> lines = {};  ///< line number of each row, for text files

  /// "row 3 (counted from 0)", or "row 3 (counted from 0; line 5)" if lines are known.
  [[nodiscard]] std::string nameOf(std::int64_t row) const;
  /// kMalformed: "PATH: REASON".
  [[nodiscard]] tl::unexpected<Error> malformed(const std::string& reason) const;
};

}  // namespace dubito
