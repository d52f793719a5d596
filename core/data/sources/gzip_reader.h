// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Reads a file from its start, decompressing it where it is gzip.
class GzipReader {
 public:
  [[nodiscard]] static Expected<GzipReader> open(const std::string& path);

  /// Fills `buffer` as far as there is data and returns how many bytes it got; fewer than asked for
  /// means the end. A compressed stream that is damaged or cut short is an error.
  [[nodiscard]] Expected<std::int64_t> read(std::span<std::uint8_t> buffer);

  [[nodiscard]] bool compressed() const;
  /// Bytes of the file as it lies on the disk.
  [[nodiscard]] std::int64_t fileSize() const { return file_size_; }

 private:
  struct Stream;
  GzipReader(std::string path, std::int64_t file_size, std::shared_ptr<Stream> stream)
      : path_(std::move(path)), file_size_(file_size), stream_(std::move(stream)) {}

  std::string path_;
  std::int64_t file_size_ = 0;
  std::shared_ptr<Stream> stream_;
};

}  // namespace dubito
