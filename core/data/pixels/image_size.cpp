// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/image_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/data/pixels/file_bytes.h"

namespace dubito {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr const char* kDamagedHeader = "its header is damaged";

/// Integer tags of the first directory of a TIFF file.
class TiffTags {
 public:
  explicit TiffTags(Bytes bytes) : bytes_(bytes), big_endian_(bytes[0] == 'M') {
    constexpr std::uint64_t kBigTiff = 43;
    const bool wide = number(2, 2) == kBigTiff;
    const std::uint64_t offset_size = wide ? 8 : 4;
    const auto directory = number(wide ? 8 : 4, offset_size);
    const auto count = directory ? number(*directory, wide ? 8 : 2) : std::nullopt;
    const std::uint64_t entry_size = 4 + 2 * offset_size;
    if (!count || *count > bytes.size() / entry_size) {
      return;
    }
    for (std::uint64_t i = 0; i < *count; ++i) {
      readEntry(*directory + (wide ? 8 : 2) + i * entry_size, offset_size);
    }
  }

  /// All values of a tag; empty if it is missing or lies outside the file.
  [[nodiscard]] std::vector<std::uint64_t> all(std::uint64_t tag) const {
    const auto found = values_.find(tag);
    return found == values_.end() ? std::vector<std::uint64_t>{} : found->second;
  }
  [[nodiscard]] std::uint64_t first(std::uint64_t tag) const {
    const auto found = values_.find(tag);
    return found == values_.end() || found->second.empty() ? 0 : found->second.front();
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> number(std::uint64_t at, std::uint64_t count) const {
    return numberAt(bytes_, at, count, big_endian_);
  }

  void readEntry(std::uint64_t at, std::uint64_t offset_size) {
    const auto tag = number(at, 2);
    const auto type = number(at + 2, 2);
    const auto count = number(at + 4, offset_size);
    constexpr std::uint64_t kShort = 3;
    constexpr std::uint64_t kLong = 4;
    constexpr std::uint64_t kLong8 = 16;
    if (!tag || !type || !count || (*type != kShort && *type != kLong && *type != kLong8)) {
      return;
    }
    const std::uint64_t size = *type == kShort ? 2 : *type == kLong ? 4 : 8;
    if (*count > bytes_.size() / size) {
      return;
    }
    const std::uint64_t value_at = at + 4 + offset_size;
    const auto start =
        size * *count <= offset_size ? std::optional(value_at) : number(value_at, offset_size);
    std::vector<std::uint64_t>& values = values_[*tag];
    values.clear();
    for (std::uint64_t i = 0; start && i < *count; ++i) {
      const auto value = number(*start + i * size, size);
      if (!value) {
        values.clear();
        return;
      }
      values.push_back(*value);
    }
  }

  Bytes bytes_;
  bool big_endian_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> values_;
};

}  // namespace

std::string imageSizeDefect(std::uint64_t width, std::uint64_t height, std::uint64_t file_bytes,
                            std::uint64_t pixels_per_byte) {
  if (width == 0 || height == 0) {
    return "its header states no pixels";
  }
  if (width > kMaxPixels || height > kMaxPixels || width * height > kMaxPixels) {
    return fmt::format("its header states {} x {} pixels, more than the limit of {} million", width,
                       height, kMaxPixels / 1'000'000);
  }
  // Small images cost little, even if they compress extremely well.
  constexpr std::uint64_t kSmallImagePixels = std::uint64_t{1} << 22;
  if (width * height > kSmallImagePixels && width * height / pixels_per_byte > file_bytes) {
    return fmt::format("its header states {} x {} pixels, which its {} bytes cannot contain", width,
                       height, file_bytes);
  }
  return {};
}

std::string bmpDefect(Bytes bytes) {
  const auto pixels_at = numberAt(bytes, 10, 4);
  const auto header = numberAt(bytes, 14, 4);
  constexpr std::uint64_t kOldHeader = 12;
  const bool old = header == kOldHeader;
  const auto width = old ? numberAt(bytes, 18, 2) : numberAt(bytes, 18, 4);
  const auto stored_height = old ? numberAt(bytes, 20, 2) : numberAt(bytes, 22, 4);
  const auto bits = numberAt(bytes, old ? 24 : 28, 2);
  const auto compression = old ? std::optional<std::uint64_t>(0) : numberAt(bytes, 30, 4);
  if (!pixels_at || !width || !stored_height || !bits || !compression) {
    return kImageTruncated;
  }
  // A negative height means that rows are stored top to bottom.
  constexpr std::uint64_t kSign = std::uint64_t{1} << 31;
  const std::uint64_t height =
      *stored_height < kSign ? *stored_height : (std::uint64_t{1} << 32) - *stored_height;
  constexpr std::uint64_t kRunLength = 128;
  if (std::string defect = imageSizeDefect(*width, height, bytes.size(), kRunLength);
      !defect.empty()) {
    return defect;
  }
  constexpr std::uint64_t kBitFields = 3;
  if (*compression == 0 || *compression == kBitFields) {
    const std::uint64_t needed = (*width * *bits + 31) / 32 * 4 * height;
    if (*pixels_at > bytes.size() || needed > bytes.size() - *pixels_at) {
      return kImageTruncated;
    }
  }
  return {};
}

std::string tiffDefect(Bytes bytes) {
  constexpr std::uint64_t kWidth = 256;
  constexpr std::uint64_t kHeight = 257;
  constexpr std::uint64_t kBits = 258;
  constexpr std::uint64_t kStripOffsets = 273;
  constexpr std::uint64_t kStripSizes = 279;
  constexpr std::uint64_t kTileOffsets = 324;
  constexpr std::uint64_t kTileSizes = 325;
  const TiffTags tags(bytes);
  const std::uint64_t width = tags.first(kWidth);
  const std::uint64_t height = tags.first(kHeight);
  if (width == 0 || height == 0) {
    return kDamagedHeader;
  }
  // Deflate expands at most 1032 times, and a byte holds at most eight pixels.
  constexpr std::uint64_t kDeflate = 8256;
  if (std::string defect = imageSizeDefect(width, height, bytes.size(), kDeflate);
      !defect.empty()) {
    return defect;
  }
  constexpr std::uint64_t kMaxBits = 16;
  if (const std::uint64_t bits = tags.first(kBits); bits > kMaxBits) {
    return fmt::format("its {}-bit samples are not supported, only those of up to 16 bits", bits);
  }
  const bool tiled = !tags.all(kTileOffsets).empty();
  const std::vector<std::uint64_t> offsets = tags.all(tiled ? kTileOffsets : kStripOffsets);
  const std::vector<std::uint64_t> sizes = tags.all(tiled ? kTileSizes : kStripSizes);
  for (std::size_t i = 0; i < offsets.size() && i < sizes.size(); ++i) {
    if (offsets[i] > bytes.size() || sizes[i] > bytes.size() - offsets[i]) {
      return kImageTruncated;
    }
  }
  return offsets.empty() ? kDamagedHeader : std::string();
}

std::string webpDefect(Bytes bytes) {
  constexpr std::uint64_t kFrame = 20;  // after RIFF, its size, WEBP, and one chunk's name and size
  const auto claimed = numberAt(bytes, 4, 4);
  if (!claimed || bytes.size() < kFrame + 10 || *claimed > bytes.size() - 8) {
    return kImageTruncated;
  }
  const std::string_view chunk(reinterpret_cast<const char*>(bytes.data()) + 12, 4);
  constexpr std::uint64_t kFourteenBits = 0x3FFF;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  if (chunk == "VP8 ") {
    width = *numberAt(bytes, kFrame + 6, 2) & kFourteenBits;
    height = *numberAt(bytes, kFrame + 8, 2) & kFourteenBits;
  } else if (chunk == "VP8L") {
    const std::uint64_t packed = *numberAt(bytes, kFrame + 1, 4);
    width = (packed & kFourteenBits) + 1;
    height = ((packed >> 14) & kFourteenBits) + 1;
  } else if (chunk == "VP8X") {
    width = *numberAt(bytes, kFrame + 4, 3) + 1;
    height = *numberAt(bytes, kFrame + 7, 3) + 1;
  } else {
    return kDamagedHeader;
  }
  // A single colour compresses to almost nothing; more than that is not a photograph.
  constexpr std::uint64_t kPlausible = 8256;
  return imageSizeDefect(width, height, bytes.size(), kPlausible);
}

std::string jpeg2000Defect(Bytes bytes) {
  // A bare codestream, or one in a box: length, name, content.
  std::uint64_t begin = 0;
  std::uint64_t end = bytes.size();
  constexpr std::uint64_t kStart = 0xFF4FFF51;
  if (numberAt(bytes, 0, 4, true) != kStart) {
    constexpr std::uint64_t kCodestream = 0x6A703263;  // jp2c
    std::uint64_t at = 0;
    for (;;) {
      const auto length = numberAt(bytes, at, 4, true);
      const auto name = numberAt(bytes, at + 4, 4, true);
      if (!length || !name) {
        return kImageTruncated;
      }
      const bool wide = *length == 1;
      const auto wide_length = wide ? numberAt(bytes, at + 8, 8, true) : std::nullopt;
      const std::uint64_t header = wide ? 16 : 8;
      const std::uint64_t size = *length == 0 ? bytes.size() - at
                                 : wide       ? wide_length.value_or(0)
                                              : *length;
      if (size < header) {
        return kDamagedHeader;
      }
      if (size > bytes.size() - at) {
        return kImageTruncated;
      }
      if (*name == kCodestream) {
        begin = at + header;
        end = at + size;
        break;
      }
      at += size;
    }
  }
  const auto right = numberAt(bytes, begin + 8, 4, true);
  const auto bottom = numberAt(bytes, begin + 12, 4, true);
  const auto left = numberAt(bytes, begin + 16, 4, true);
  const auto top = numberAt(bytes, begin + 20, 4, true);
  if (numberAt(bytes, begin, 4, true) != kStart || !right || !bottom || !left || !top ||
      *left >= *right || *top >= *bottom) {
    return kDamagedHeader;
  }
  // A single colour compresses to almost nothing; more than that is not a photograph.
  constexpr std::uint64_t kPlausible = 8256;
  if (std::string defect =
          imageSizeDefect(*right - *left, *bottom - *top, bytes.size(), kPlausible);
      !defect.empty()) {
    return defect;
  }
  constexpr std::uint64_t kEndOfCodestream = 0xFFD9;
  return numberAt(bytes, end - 2, 2, true) == kEndOfCodestream ? std::string() : kImageTruncated;
}

std::string sunRasterDefect(Bytes bytes) {
  const auto width = numberAt(bytes, 4, 4, true);
  const auto height = numberAt(bytes, 8, 4, true);
  const auto bits = numberAt(bytes, 12, 4, true);
  const auto type = numberAt(bytes, 20, 4, true);
  const auto map = numberAt(bytes, 28, 4, true);
  if (!width || !height || !bits || !type || !map) {
    return kImageTruncated;
  }
  constexpr std::uint64_t kRunLength = 128;
  if (std::string defect = imageSizeDefect(*width, *height, bytes.size(), 8 * kRunLength);
      !defect.empty()) {
    return defect;
  }
  constexpr std::uint64_t kMaxBits = 32;
  constexpr std::uint64_t kHeader = 32;
  constexpr std::uint64_t kEncoded = 2;
  if (*bits > kMaxBits) {
    return kDamagedHeader;
  }
  const std::uint64_t needed = (*width * *bits + 15) / 16 * 2 * *height;
  return *type != kEncoded && kHeader + *map + needed > bytes.size() ? kImageTruncated
                                                                     : std::string();
}

}  // namespace dubito
