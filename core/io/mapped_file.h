// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/expected.h"
#include "core/io/bytes.h"
#include "core/io/mapping_guard.h"

namespace dubito {

/// Identifies a file and its state; no longer equal after the file has changed.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// A whole file mapped read-only. Arrays that view its memory keep it alive. If the file is
/// replaced by a rename, the mapping keeps the old content. If another program truncates it in
/// place, reads beyond the new end return zeros. unchanged() reports this and any other
/// modification in place.
class MappedFile {
 public:
  /// kNotFound, kReadFailed, or kInvalidArgument for a folder or a device.
  [[nodiscard]] static Expected<std::shared_ptr<const MappedFile>> open(const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] ByteSpan bytes() const { return {data_, size_}; }

  /// Call after using the bytes: kReadFailed if another program has written to the file since it
  /// was opened, so that the data read may be partly old and partly new.
  [[nodiscard]] Status unchanged() const;

 private:
  MappedFile(std::string path, const std::byte* data, std::size_t size, const FileIdentity& opened);

  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  FileIdentity opened_;
  std::unique_ptr<MappingGuard> guard_;  ///< absent if the file is empty
};

/// Calls unchanged() for all currently mapped files and returns the first error. Call at the end of
/// a computation, before using its result.
[[nodiscard]] Status mappedFilesUnchanged();

}  // namespace dubito
