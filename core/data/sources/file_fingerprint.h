// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Detects whether a file has changed.
struct FileFingerprint {
  std::uint64_t bytes = 0;
  /// Nanoseconds since 1970; 0 for a folder. Not part of a file's content: copies differ in it.
  std::int64_t modified_ns = 0;
  /// Hash over all bytes, 16 hexadecimal digits. For a folder: over the names and sizes of the
  /// files below it.
  std::string hash;

  /// Equal content, regardless of location and time.
  [[nodiscard]] bool sameContent(const FileFingerprint& other) const {
    return bytes == other.bytes && hash == other.hash;
  }
  friend bool operator==(const FileFingerprint&, const FileFingerprint&) = default;
};

/// Reads `path`, a file or a folder, to its end. kNotFound, kReadFailed, kInvalidArgument for
/// anything else (a device, a pipe), kCancelled.
[[nodiscard]] Expected<FileFingerprint> fingerprintOf(const std::string& path, RunContext& context);

/// The same, but a file with the size and time of `known` is assumed unchanged and not read.
[[nodiscard]] Expected<FileFingerprint> fingerprintOf(const std::string& path,
                                                      const FileFingerprint& known,
                                                      RunContext& context);

}  // namespace dubito
