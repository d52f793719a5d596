// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/image_format.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/data/pixels/file_bytes.h"
#include "core/data/pixels/netpbm.h"

namespace dubito {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Two letters would also begin a text; the size of the second header is one of a few.
bool isBmp(Bytes bytes) {
  constexpr std::array<std::uint8_t, 7> kHeaderSizes{12, 40, 52, 56, 64, 108, 124};
  return hasAt(bytes, 0, "BM") && bytes.size() > 17 &&
         std::ranges::find(kHeaderSizes, bytes[14]) != kHeaderSizes.end() && bytes[15] == 0 &&
         bytes[16] == 0 && bytes[17] == 0;
}

bool isTiff(Bytes bytes) {
  constexpr std::array<std::string_view, 4> kStarts{
      std::string_view("II*\0", 4), std::string_view("MM\0*", 4), std::string_view("II+\0", 4),
      std::string_view("MM\0+", 4)};
  return std::ranges::any_of(kStarts,
                             [bytes](std::string_view start) { return hasAt(bytes, 0, start); });
}

}  // namespace

std::optional<ImageFormat> imageFormat(Bytes bytes) {
  if (hasAt(bytes, 0, "\xFF\xD8\xFF")) {
    return ImageFormat::kJpeg;
  }
  if (hasAt(bytes, 0, "\x89PNG\r\n\x1a\n")) {
    return ImageFormat::kPng;
  }
  if (isBmp(bytes)) {
    return ImageFormat::kBmp;
  }
  if (isTiff(bytes)) {
    return ImageFormat::kTiff;
  }
  if (hasAt(bytes, 0, "RIFF") && hasAt(bytes, 8, "WEBP")) {
    return ImageFormat::kWebp;
  }
  if (hasAt(bytes, 0, {"\0\0\0\x0CjP  \r\n\x87\n", 12}) || hasAt(bytes, 0, "\xFF\x4F\xFF\x51")) {
    return ImageFormat::kJpeg2000;
  }
  if (hasAt(bytes, 0, "\x59\xA6\x6A\x95")) {
    return ImageFormat::kSunRaster;
  }
  return netpbmHeader(bytes) ? std::optional(ImageFormat::kNetpbm) : std::nullopt;
}

std::string_view undecodedFormat(Bytes bytes) {
  using Signature = std::pair<std::size_t, std::string_view>;
  constexpr std::array<std::pair<Signature, std::string_view>, 16> kFormats{{
      {{0, "GIF87a"}, "GIF"},
      {{0, "GIF89a"}, "GIF"},
      {{4, "ftypavif"}, "AVIF"},
      {{4, "ftypavis"}, "AVIF"},
      {{4, "ftyphei"}, "HEIC"},
      {{4, "ftyphev"}, "HEIC"},
      {{4, "ftypmif1"}, "HEIC"},
      {{0, "8BPS"}, "Photoshop"},
      {{128, "DICM"}, "DICOM"},
      {{0, "v/1\x01"}, "OpenEXR"},
      {{0, "#?RADIANCE"}, "Radiance HDR"},
      {{0, "#?RGBE"}, "Radiance HDR"},
      {{0, "PF\n"}, "PFM"},
      {{0, "Pf\n"}, "PFM"},
      {{0, {"\0\0\x01\0", 4}}, "icon"},
      {{0, "\xFF\x0A"}, "JPEG XL"},
  }};
  for (const auto& [signature, name] : kFormats) {
    if (hasAt(bytes, signature.first, signature.second)) {
      return name;
    }
  }
  return hasAt(bytes, 4, "JXL \r\n\x87\n") ? "JPEG XL" : std::string_view();
}

}  // namespace dubito
