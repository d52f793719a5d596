// SPDX-License-Identifier: GPL-3.0-or-later
// OpenCV reads the orientation of some formats only, and which ones depends on its version.
#include "core/data/pixels/exif_orientation_tag.h"

#include <string_view>

#include "core/data/pixels/file_bytes.h"
#include "core/data/pixels/image_format.h"

namespace dubito {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr int kAsStored = 1;

/// From the first directory of an EXIF block, which is a small TIFF file.
int orientationInExif(Bytes exif) {
  // Some writers of PNG and WebP keep the mark of JPEG.
  if (hasAt(exif, 0, {"Exif\0\0", 6})) {
    exif = exif.subspan(6);
  }
  const bool big_endian = hasAt(exif, 0, "MM");
  if (!big_endian && !hasAt(exif, 0, "II")) {
    return kAsStored;
  }
  const auto directory = numberAt(exif, 4, 4, big_endian);
  const auto count = directory ? numberAt(exif, *directory, 2, big_endian) : std::nullopt;
  constexpr std::size_t kEntry = 12;
  constexpr std::uint64_t kOrientation = 0x0112;
  constexpr std::uint64_t kLong = 4;
  for (std::size_t i = 0; count && i < *count; ++i) {
    const std::size_t at = *directory + 2 + i * kEntry;
    const auto tag = numberAt(exif, at, 2, big_endian);
    if (!tag) {
      break;
    }
    if (*tag == kOrientation) {
      const auto type = numberAt(exif, at + 2, 2, big_endian);
      const auto value = numberAt(exif, at + 8, type == kLong ? 4 : 2, big_endian);
      return value && *value >= 1 && *value <= 8 ? static_cast<int>(*value) : kAsStored;
    }
  }
  return kAsStored;
}

/// From the first APP1 segment with EXIF before the scan.
int orientationOfJpeg(Bytes bytes) {
  std::size_t at = 2;
  while (bytes.size() > at + 4 && bytes[at] == 0xFF) {
    const int marker = bytes[at + 1];
    if (marker == 0xFF) {  // a fill byte
      ++at;
      continue;
    }
    constexpr int kScan = 0xDA;
    const std::uint64_t length = *numberAt(bytes, at + 2, 2, true);
    if (marker == kScan || length < 2 || length > bytes.size() - at - 2) {
      break;
    }
    const Bytes content = bytes.subspan(at + 4, length - 2);
    constexpr int kApp1 = 0xE1;
    if (marker == kApp1 && hasAt(content, 0, {"Exif\0\0", 6})) {
      return orientationInExif(content);
    }
    at += 2 + length;
  }
  return kAsStored;
}

/// From the chunk `name`. A chunk of PNG is length, name, content and checksum; a chunk of WebP is
/// name, length and content, padded to an even length.
int orientationInChunks(Bytes bytes, std::size_t at, std::string_view name, bool is_png) {
  while (bytes.size() > at && bytes.size() - at >= 8) {
    const std::uint64_t length = *numberAt(bytes, is_png ? at : at + 4, 4, is_png);
    const bool wanted = hasAt(bytes, is_png ? at + 4 : at, name);
    at += 8;
    if (length > bytes.size() - at) {
      break;
    }
    if (wanted) {
      return orientationInExif(bytes.subspan(at, length));
    }
    at += length + (is_png ? 4 : length % 2);
  }
  return kAsStored;
}

}  // namespace

int exifOrientationTag(Bytes bytes) {
  const auto format = imageFormat(bytes);
  if (format == ImageFormat::kJpeg) {
    return orientationOfJpeg(bytes);
  }
  if (format == ImageFormat::kPng) {
    return orientationInChunks(bytes, 8, "eXIf", true);
  }
  return format == ImageFormat::kWebp ? orientationInChunks(bytes, 12, "EXIF", false) : kAsStored;
}

}  // namespace dubito
