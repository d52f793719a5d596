// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// What tells whether a file is still the one that it was.
struct FileFingerprint {
  std::uint64_t bytes = 0;
  /// Nanoseconds since 1970; 0 for a folder. Not part of what a file is: copies differ in it.
  std::int64_t modified_ns = 0;
  /// Over all bytes, 16 hexadecimal digits. Of a folder: over the names and sizes of the files
  /// below it.
  std::string hash;

  /// The same content, wherever and whenever it was written.
  [[nodiscard]] bool sameContent(const FileFingerprint& other) const {
    return bytes == other.bytes && hash == other.hash;
  }
  friend bool operator==(const FileFingerprint&, const FileFingerprint&) = default;
};

/// Reads `path`, a file or a folder, to its end. kNotFound, kReadFailed, kInvalidArgument for what
/// is neither (a device, a pipe), kCancelled.
[[nodiscard]] Expected<FileFingerprint> fingerprintOf(const std::string& path, RunContext& context);

/// As fingerprintOf, but a file of the size and time of `known` is taken for that one and not read.
[[nodiscard]] Expected<FileFingerprint> fingerprintOf(const std::string& path,
                                                      const FileFingerprint& known,
                                                      RunContext& context);

}  // namespace dubito
