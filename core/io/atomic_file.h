// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "core/io/bytes.h"

namespace dubito {

/// A file that is written under a temporary name in the same folder and renamed by commit() when it
/// is complete. Until then, an older file of that name is unchanged; without commit(), the
/// temporary file is removed. Symbolic links are followed; the permissions of an older file are
/// kept.
class AtomicFile {
 public:
  /// Creates the empty temporary file in the folder of `path`, or in `temp_folder`, which must be
  /// on the same file system. kWriteFailed if the folder is missing or not writable, or `path` is a
  /// folder or a device.
  [[nodiscard]] static Expected<AtomicFile> create(const std::string& path,
                                                   const std::string& temp_folder = {});

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  /// Removes the temporary file unless it was committed.
  ~AtomicFile();

  /// The final name of the file.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The temporary name, for libraries that write by name.
  [[nodiscard]] const std::string& tempPath() const { return temp_path_; }

  /// Appends bytes. kWriteFailed, for example on a full disk.
  [[nodiscard]] Status write(ByteSpan bytes);
  [[nodiscard]] Status write(std::string_view text) { return write(asBytes(text)); }

  /// Overwrites bytes already written, from `offset` on.
  [[nodiscard]] Status writeAt(std::uint64_t offset, ByteSpan bytes);

  /// Syncs the bytes to disk and renames the file: after a power failure, either the older file or
  /// the complete new file exists. Call once; on failure the temporary file is removed.
  [[nodiscard]] Status commit();

 private:
  AtomicFile() = default;
  void discard() noexcept;
  [[nodiscard]] tl::unexpected<Error> failure(const char* remedy) const;

  std::string path_;       ///< as the user wrote it, for messages
  std::string real_path_;  ///< symbolic links resolved
  std::string temp_path_;  ///< empty once committed or removed
  int fd_ = -1;
};

/// Writes a complete file with AtomicFile; on an error, an older file is unchanged.
[[nodiscard]] Status writeFileAtomically(const std::string& path, ByteSpan bytes);
[[nodiscard]] Status writeFileAtomically(const std::string& path, std::string_view text);

}  // namespace dubito
