// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/base/expected.h"
#include "core/io/bytes.h"

namespace dubito {

/// A whole file mapped read-only. Arrays that view it keep it alive. A file that is replaced by
/// renaming stays readable; one that another program shortens in place does not.
class MappedFile {
 public:
  /// kNotFound, kReadFailed, or kInvalidArgument for a folder or a device.
  [[nodiscard]] static Expected<std::shared_ptr<const MappedFile>> open(const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] ByteSpan bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace dubito
