// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "core/io/bytes.h"

namespace dubito {

/// A file that is written under a temporary name in the same folder and takes its own name only
/// when it is complete. Until commit() an older file of that name stays as it was; without commit()
/// nothing is left behind. Symbolic links are followed; permissions of an older file are kept.
class AtomicFile {
 public:
  /// Makes the empty temporary file. kWriteFailed if the folder is missing or closed to us, or
  /// where `path` is a folder or a device. The temporary file lies in the same folder, or in
  /// `temp_folder` of the same file system.
  [[nodiscard]] static Expected<AtomicFile> create(const std::string& path,
                                                   const std::string& temp_folder = {});

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  /// Removes the temporary file unless it was committed.
  ~AtomicFile();

  /// The name that the file will have.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Where it is meanwhile, for libraries that write by name.
  [[nodiscard]] const std::string& tempPath() const { return temp_path_; }

  /// Appends bytes. kWriteFailed, for example on a full disk.
  [[nodiscard]] Status write(ByteSpan bytes);
  [[nodiscard]] Status write(std::string_view text) { return write(asBytes(text)); }

  /// Replaces bytes that were written, from `offset` on.
  [[nodiscard]] Status writeAt(std::uint64_t offset, ByteSpan bytes);

  /// Brings the bytes to the disk and renames the file, so that after a power cut either the older
  /// file is there or all of this one. To be called once; a failure removes the temporary file.
  [[nodiscard]] Status commit();

 private:
  AtomicFile() = default;
  void discard() noexcept;
  [[nodiscard]] tl::unexpected<Error> failure(const char* remedy) const;

  std::string path_;       ///< as the user wrote it, for messages
  std::string real_path_;  ///< links resolved
  std::string temp_path_;  ///< empty once committed or removed
  int fd_ = -1;
};

/// All of `bytes` as the file `path`, or an error and whatever was there before.
[[nodiscard]] Status writeFileAtomically(const std::string& path, ByteSpan bytes);
[[nodiscard]] Status writeFileAtomically(const std::string& path, std::string_view text);

}  // namespace dubito
