// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/bytes.h"

namespace dubito {

/// One file inside a zip archive.
struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;  ///< kZipStored, kZipDeflated, or another number of the zip format
  bool encrypted = false;
  std::uint32_t crc32 = 0;
  std::uint64_t stored_bytes = 0;  ///< as they lie in the archive; checked against its size
  std::uint64_t bytes = 0;         ///< unpacked: a claim of the archive
  std::uint64_t data_offset = 0;   ///< of the stored bytes, from the start of the archive
};

inline constexpr std::uint16_t kZipStored = 0;
inline constexpr std::uint16_t kZipDeflated = 8;

/// The entries of the zip archive `bytes` in the order of its directory, zip64 included. Every
/// entry's stored bytes are known to lie inside the archive. `path` stands in messages. kMalformed
/// for an archive that is cut short or contradicts itself, kUnsupported for one in several volumes.
[[nodiscard]] Expected<std::vector<ZipEntry>> readZipDirectory(ByteSpan bytes,
                                                               const std::string& path);

}  // namespace dubito
