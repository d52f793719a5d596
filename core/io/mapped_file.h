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

/// What tells one state of a file from another.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// A whole file mapped read-only. Arrays that view it keep it alive. A file that is replaced by
/// renaming stays readable as it was. Where another program shortens it in place, zeros are read
/// behind its new end; unchanged() tells of that and of any other change in place.
class MappedFile {
 public:
  /// kNotFound, kReadFailed, or kInvalidArgument for a folder or a device.
  [[nodiscard]] static Expected<std::shared_ptr<const MappedFile>> open(const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] ByteSpan bytes() const { return {data_, size_}; }

  /// To be asked when the bytes have been used: kReadFailed where another program wrote into the
  /// file since it was opened, so that what was read may be part old and part new.
  [[nodiscard]] Status unchanged() const;

 private:
  MappedFile(std::string path, const std::byte* data, std::size_t size, const FileIdentity& opened);

  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  FileIdentity opened_;
  std::unique_ptr<MappingGuard> guard_;  ///< absent if the file is empty
};

/// unchanged() of all files that are mapped at present: the first error. To be asked at the end of
/// a piece of work, before its result is handed on.
[[nodiscard]] Status mappedFilesUnchanged();

}  // namespace dubito
