// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/image_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "core/data/pixels/file_bytes.h"
#include "core/data/pixels/image_format.h"
#include "core/data/pixels/image_size.h"
#include "core/data/pixels/netpbm.h"

namespace dubito {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr const char* kDecodedFormats =
    "JPEG, JPEG 2000, PNG, BMP, TIFF, WebP, PBM, PGM, PPM, PAM or Sun raster";

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

}  // namespace

std::int64_t longerSideOfJpeg(std::span<const std::uint8_t> bytes) {
  if (!hasAt(bytes, 0, "\xFF\xD8")) {
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
  const auto format = imageFormat(bytes);
  if (!format) {
    const std::string_view other = undecodedFormat(bytes);
    return other.empty()
               ? fmt::format("it cannot be decoded as an image: it is not {}", kDecodedFormats)
               : fmt::format(
                     "it is a file of the format {}, which cannot be decoded; "
                     "convert it to PNG or JPEG",
                     other);
  }
  switch (*format) {
    case ImageFormat::kJpeg:
      return jpegDefect(bytes);
    case ImageFormat::kJpeg2000:
      return jpeg2000Defect(bytes);
    case ImageFormat::kPng:
      return pngDefect(bytes);
    case ImageFormat::kBmp:
      return bmpDefect(bytes);
    case ImageFormat::kTiff:
      return tiffDefect(bytes);
    case ImageFormat::kWebp:
      return webpDefect(bytes);
    case ImageFormat::kNetpbm:
      return netpbmDefect(bytes);
    case ImageFormat::kSunRaster:
      return sunRasterDefect(bytes);
  }
  return {};
}

}  // namespace dubito
