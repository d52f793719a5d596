// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/bytes.h"

/// Constants of the zip format (PKWARE APPNOTE 6.3, sections 4.3 and 4.5).
namespace dubito::zip {

inline constexpr std::uint64_t kLocalSignature = 0x04034b50;
inline constexpr std::uint64_t kCentralSignature = 0x02014b50;
inline constexpr std::uint64_t kEndSignature = 0x06054b50;
inline constexpr std::uint64_t kEnd64Signature = 0x06064b50;
inline constexpr std::uint64_t kEnd64LocatorSignature = 0x07064b50;

/// Bytes of the fixed part of each record.
inline constexpr std::uint64_t kLocalBytes = 30;
inline constexpr std::uint64_t kCentralBytes = 46;
inline constexpr std::uint64_t kEndBytes = 22;
inline constexpr std::uint64_t kEnd64Bytes = 56;
inline constexpr std::uint64_t kEnd64LocatorBytes = 20;

/// Offset of the checksum in the local header.
inline constexpr std::uint64_t kLocalCrcOffset = 14;

/// A 32-bit or 16-bit field has this value if the actual value is in the zip64 record.
inline constexpr std::uint64_t kMax32 = 0xFFFFFFFF;
inline constexpr std::uint64_t kMax16 = 0xFFFF;

/// Extra fields: 64-bit sizes, and padding that aligns the data (Android's zipalign).
inline constexpr std::uint64_t kExtra64 = 0x0001;
inline constexpr std::uint64_t kExtraAlignment = 0xD935;

}  // namespace dubito::zip

namespace dubito {

/// One file inside a zip archive.
struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;  ///< compression: kZipStored, 8 (deflated), ...
  bool encrypted = false;
  std::uint32_t crc32 = 0;
  std::uint64_t stored_bytes = 0;  ///< size in the archive; checked against the archive
  std::uint64_t bytes = 0;         ///< unpacked size, as claimed by the archive
  std::uint64_t data_offset = 0;   ///< of the stored bytes, from the start of the archive
};

inline constexpr std::uint16_t kZipStored = 0;

/// The entries of the zip archive `bytes` in the order of its directory, including zip64. Checks
/// that the stored bytes of all entries lie inside the archive. `path` is used in messages.
/// kMalformed for a truncated or inconsistent archive, kUnsupported for an archive in several
/// volumes.
[[nodiscard]] Expected<std::vector<ZipEntry>> readZipDirectory(ByteSpan bytes,
                                                               const std::string& path);

}  // namespace dubito
