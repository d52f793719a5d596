// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_check.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/base/in_quotes.h"
#include "core/io/mapped_file.h"
#include "core/io/zip_crc.h"
#include "core/io/zip_directory.h"

namespace dubito {
namespace {

constexpr std::uint16_t kDeflated = 8;

/// An inflating stream without zlib's own header.
class RawInflater {
 public:
  RawInflater() { is_ready_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~RawInflater() {
    if (is_ready_) {
      inflateEnd(&stream_);
    }
  }
  RawInflater(const RawInflater&) = delete;
  RawInflater& operator=(const RawInflater&) = delete;

  /// Checksum of the unpacked bytes; nullopt if they cannot be unpacked to `bytes` bytes.
  std::optional<std::uint32_t> crcOf(ByteSpan packed, std::uint64_t bytes) {
    std::array<std::byte, std::size_t{1} << 16> unpacked;
    std::uint32_t crc = 0;
    std::uint64_t done = 0;
    int state = is_ready_ ? Z_OK : Z_STREAM_ERROR;
    while (state == Z_OK) {
      if (stream_.avail_in == 0) {
        const std::size_t next =
            std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
        stream_.avail_in = static_cast<uInt>(next);
        packed = packed.subspan(next);
      }
      stream_.next_out = reinterpret_cast<Bytef*>(unpacked.data());
      stream_.avail_out = static_cast<uInt>(unpacked.size());
      state = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t made = unpacked.size() - stream_.avail_out;
      crc = zipCrc(crc, ByteSpan(unpacked).first(made));
      done += made;
      if (done > bytes) {
        return std::nullopt;
      }
    }
    return state == Z_STREAM_END && done == bytes ? std::optional(crc) : std::nullopt;
  }

 private:
  z_stream stream_ = {};
  bool is_ready_ = false;
};

/// Whether the content of an entry has its checksum; true if that cannot be told.
bool isWhole(ByteSpan archive, const ZipEntry& entry) {
  const ByteSpan stored = archive.subspan(static_cast<std::size_t>(entry.data_offset),
                                          static_cast<std::size_t>(entry.stored_bytes));
  if (entry.encrypted || (entry.method != kZipStored && entry.method != kDeflated)) {
    return true;
  }
  const std::optional<std::uint32_t> crc = entry.method == kZipStored
                                               ? std::optional(zipCrc(0, stored))
                                               : RawInflater().crcOf(stored, entry.bytes);
  return crc == entry.crc32;
}

}  // namespace

Status checkZipContents(const std::string& path, const std::string& remedy) {
  const auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  const auto entries = readZipDirectory(bytes, path);
  if (!entries) {
    return failWith(entries);
  }
  for (const ZipEntry& entry : *entries) {
    if (!isWhole(bytes, entry)) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: its record {} is damaged (its checksum differs); {}", path,
                              inQuotes(entry.name), remedy));
    }
  }
  return {};
}

}  // namespace dubito
