// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dubito::test {

/// One entry of an archive that may lie about itself.
struct ZipSpec {
  std::string name;
  std::string data;                 ///< unpacked
  bool deflate = true;              ///< else stored
  std::int64_t claimed_bytes = -1;  ///< unpacked size in both headers; -1: the truth
  bool wrong_crc = false;
  bool encrypted = false;
};

/// The bytes of a zip archive with these entries.
[[nodiscard]] std::string buildZip(const std::vector<ZipSpec>& entries);

}  // namespace dubito::test
