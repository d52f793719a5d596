// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {

/// One way into the program for bytes of unknown origin.
struct Reader {
  std::string name;
  /// Name of the file under which the bytes are put.
  std::string file_name;
  /// A small good file. `dir` may get further files that belong to it.
  std::function<std::string(const TempDir& dir)> good_bytes;
  /// Opens the file and reads all of it, down to the last element.
  std::function<Status(const std::string& path)> read_all;
};

/// Every reader of files that core has.
[[nodiscard]] std::vector<Reader> allReaders();

/// For the names of parameterised tests.
inline void PrintTo(const Reader& reader, std::ostream* out) {
  *out << reader.name;
}

}  // namespace dubito::test
