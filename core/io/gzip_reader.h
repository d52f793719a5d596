// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Reads a file sequentially, decompressing it if it is gzip-compressed.
class GzipReader {
 public:
  [[nodiscard]] static Expected<GzipReader> open(const std::string& path);

  /// Fills `buffer` as far as possible and returns the number of bytes read; fewer than requested
  /// means the end of the file. Fails if the compressed stream is damaged or truncated.
  [[nodiscard]] Expected<std::int64_t> read(std::span<std::uint8_t> buffer);

  /// Whether the file is gzip-compressed.
  [[nodiscard]] bool compressed() const;
  /// Size of the file on disk in bytes.
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
