// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/image_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "core/data/pixels/image_size.h"

namespace dubito {
namespace {

using Bytes = std::span<const std::uint8_t>;

std::uint64_t bigEndian(Bytes bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value = (value << 8) | bytes[at + i];
  }
  return value;
}

/// Walks the chunks up to IEND.
std::string pngDefect(Bytes bytes) {
  constexpr std::size_t kSignature = 8;
  constexpr std::size_t kOverhead = 12;  // length, type and checksum
  for (std::size_t at = kSignature; bytes.size() - at >= kOverhead;) {
    const std::uint64_t length = bigEndian(bytes, at, 4);
    const std::string_view type(reinterpret_cast<const char*>(bytes.data()) + at + 4, 4);
    if (length > bytes.size() - at - kOverhead) {
      return kImageTruncated;
    }
    if (type == "IEND") {
      return {};
    }
    if (type == "IHDR" && length >= 8) {
      // Deflate expands at most 1032 times, and a byte holds at most eight pixels.
      constexpr std::uint64_t kDeflate = 8256;
      std::string defect = imageSizeDefect(bigEndian(bytes, at + 8, 4),
                                           bigEndian(bytes, at + 12, 4), bytes.size(), kDeflate);
      if (!defect.empty()) {
        return defect;
      }
    }
    at += kOverhead + static_cast<std::size_t>(length);
  }
  return kImageTruncated;
}

bool isFrameHeader(int marker) {
  constexpr std::array<int, 3> kOthers{0xC4, 0xC8, 0xCC};  // Huffman, reserved, arithmetic tables
  return marker >= 0xC0 && marker <= 0xCF &&
         std::find(kOthers.begin(), kOthers.end(), marker) == kOthers.end();
}

/// First byte at or after `at` that belongs to a marker; inside a scan, FF is followed by 00 or by
/// a restart marker.
std::size_t nextMarker(Bytes bytes, std::size_t at) {
  while (at + 1 < bytes.size()) {
    // memchr: scans are megabytes long, and read each time that the image is shown.
    const void* const found = std::memchr(bytes.data() + at, 0xFF, bytes.size() - 1 - at);
    if (found == nullptr) {
      break;
    }
    at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - bytes.data());
    const int code = bytes[at + 1];
    if (code != 0x00 && code != 0xFF && !(code >= 0xD0 && code <= 0xD7)) {
      return at;
    }
    ++at;
  }
  return bytes.size();
}

/// Walks the segments and scans up to the end-of-image marker. The first such marker found anywhere
/// proves nothing: a thumbnail inside a segment has one too.
std::string jpegDefect(Bytes bytes) {
  for (std::size_t at = nextMarker(bytes, 2); at < bytes.size(); at = nextMarker(bytes, at)) {
    const int marker = bytes[at + 1];
    if (marker == 0xD9) {
      return {};
    }
    at += 2;
    if (marker == 0x01 || marker == 0xD8) {
      continue;
    }
    if (bytes.size() - at < 2) {
      return kImageTruncated;
    }
    const auto length = static_cast<std::size_t>(bigEndian(bytes, at, 2));
    if (length < 2) {
      return "one of its segments is damaged";
    }
    if (length > bytes.size() - at) {
      return kImageTruncated;
    }
    if (isFrameHeader(marker) && length >= 7) {
      // Every block of 8 x 8 pixels takes at least one bit.
      constexpr std::uint64_t kOneBitPerBlock = 512;
      std::string defect = imageSizeDefect(bigEndian(bytes, at + 5, 2), bigEndian(bytes, at + 3, 2),
                                           bytes.size(), kOneBitPerBlock);
      if (!defect.empty()) {
        return defect;
      }
    }
    at += length;
  }
  return kImageTruncated;
}

bool startsWith(Bytes bytes, std::string_view start) {
  return bytes.size() >= start.size() &&
         std::equal(start.begin(), start.end(), bytes.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

}  // namespace

std::int64_t longerSideOfJpeg(std::span<const std::uint8_t> bytes) {
  if (!startsWith(bytes, "\xFF\xD8")) {
    return 0;
  }
  for (std::size_t at = nextMarker(bytes, 2); bytes.size() - at >= 9; at = nextMarker(bytes, at)) {
    const int marker = bytes[at + 1];
    at += 2;
    if (marker == 0x01 || marker == 0xD8) {
      continue;
    }
    if (isFrameHeader(marker)) {
      return static_cast<std::int64_t>(
          std::max(bigEndian(bytes, at + 3, 2), bigEndian(bytes, at + 5, 2)));
    }
    at = std::min(bytes.size(), at + static_cast<std::size_t>(bigEndian(bytes, at, 2)));
  }
  return 0;
}

std::string imageDefect(std::span<const std::uint8_t> bytes) {
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) {
    return pngDefect(bytes);
  }
  if (startsWith(bytes, "\xFF\xD8")) {
    return jpegDefect(bytes);
  }
  if (startsWith(bytes, "BM")) {
    return bmpDefect(bytes);
  }
  if (startsWith(bytes, {"II*\0", 4}) || startsWith(bytes, {"MM\0*", 4}) ||
      startsWith(bytes, {"II+\0", 4}) || startsWith(bytes, {"MM\0+", 4})) {
    return tiffDefect(bytes);
  }
  if (startsWith(bytes, "RIFF")) {
    return webpDefect(bytes);
  }
  return "it cannot be decoded as an image: it is not JPEG, PNG, BMP, TIFF or WebP";
}

}  // namespace dubito
