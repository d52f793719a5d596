// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Size, time and hash of a file or folder, which show whether it has changed.
struct FileFingerprint {
  std::uint64_t bytes = 0;
  /// Nanoseconds since 1970; 0 for a folder. It differs between copies of a file, so sameContent()
  /// ignores it.
  std::int64_t modified_ns = 0;
  /// Hash of all bytes, 16 hexadecimal digits; for a folder, of the names and sizes of all files
  /// below it.
  std::string hash;

  /// Whether the contents are equal, regardless of location and time.
  [[nodiscard]] bool sameContent(const FileFingerprint& other) const {
    return bytes == other.bytes && hash == other.hash;
  }
  friend bool operator==(const FileFingerprint&, const FileFingerprint&) = default;
};

/// Reads all of `path`, a file or a folder. Fails with kNotFound, kReadFailed, kCancelled, or
/// kInvalidArgument if it is anything else (a device, a pipe).
[[nodiscard]] Expected<FileFingerprint> fingerprintOf(const std::string& path, RunContext& context);

/// As above, but a file with the size and time of `known` is assumed to be unchanged and is not
/// read.
[[nodiscard]] Expected<FileFingerprint> fingerprintOf(const std::string& path,
                                                      const FileFingerprint& known,
                                                      RunContext& context);

}  // namespace dubito
