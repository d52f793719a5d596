// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/image_extent.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

namespace dubito {
namespace {

/// Largest side that counts as one; headers can state anything.
constexpr std::int64_t kMaxSide = std::int64_t{1} << 24;

/// Bytes of a file at any place.
class Header {
 public:
  explicit Header(const std::string& path) : file_(path, std::ios::binary) {}

  /// Exactly `count` bytes, or fewer at the end of the file.
  std::string bytes(std::int64_t at, std::size_t count) {
    std::string bytes(count, '\0');
    file_.clear();
    file_.seekg(at);
    file_.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file_.gcount())));
    return bytes;
  }

 private:
  std::ifstream file_;
};

/// `count` bytes as an unsigned number; -1 beyond the end.
std::int64_t numberOf(std::string_view bytes, std::size_t at, std::size_t count, bool big_endian) {
  if (at > bytes.size() || count > bytes.size() - at) {
    return -1;
  }
  std::int64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = big_endian ? at + i : at + count - 1 - i;
    value = value << 8 | static_cast<unsigned char>(bytes[place]);
  }
  return value;
}

std::optional<ImageExtent> checked(std::int64_t width, std::int64_t height) {
  const bool plausible = width > 0 && height > 0 && width <= kMaxSide && height <= kMaxSide;
  return plausible ? std::optional(ImageExtent{width, height}) : std::nullopt;
}

/// Whether the EXIF data in an APP1 segment exchange width and height (orientations 5 to 8).
bool isTransposed(std::string_view segment) {
  constexpr std::string_view kExif("Exif\0\0", 6);
  if (!segment.starts_with(kExif)) {
    return false;
  }
  const std::string_view tiff = segment.substr(kExif.size());
  const bool big_endian = tiff.starts_with("MM");
  const std::int64_t directory = numberOf(tiff, 4, 4, big_endian);
  const std::int64_t entries =
      directory < 0 ? 0 : numberOf(tiff, static_cast<std::size_t>(directory), 2, big_endian);
  constexpr std::int64_t kOrientation = 0x0112;
  constexpr std::int64_t kFirstTransposed = 5;
  for (std::int64_t i = 0; i < entries; ++i) {
    const auto at = static_cast<std::size_t>(directory + 2 + 12 * i);
    if (numberOf(tiff, at, 2, big_endian) == kOrientation) {
      return numberOf(tiff, at + 8, 2, big_endian) >= kFirstTransposed;
    }
  }
  return false;
}

std::optional<ImageExtent> extentOfJpeg(Header& header) {
  bool transposed = false;
  constexpr int kMaxSegments = 1000;
  std::int64_t at = 2;
  for (int i = 0; i < kMaxSegments; ++i) {
    const std::string head = header.bytes(at, 9);
    const std::int64_t marker = numberOf(head, 0, 2, true);
    const std::int64_t length = numberOf(head, 2, 2, true);
    if (marker < 0xFF00 || length < 2) {
      return std::nullopt;
    }
    const std::int64_t code = marker & 0xFF;
    // Frames; C4, C8 and CC are tables.
    if (code >= 0xC0 && code <= 0xCF && code != 0xC4 && code != 0xC8 && code != 0xCC) {
      const std::int64_t height = numberOf(head, 5, 2, true);
      const std::int64_t width = numberOf(head, 7, 2, true);
      return transposed ? checked(height, width) : checked(width, height);
    }
    if (code == 0xE1) {
      transposed =
          transposed || isTransposed(header.bytes(at + 4, static_cast<std::size_t>(length - 2)));
    }
    at += 2 + length;
  }
  return std::nullopt;
}

std::optional<ImageExtent> extentOfWebp(const std::string& head) {
  const std::string_view chunk = std::string_view(head).substr(12, 4);
  constexpr std::int64_t kFourteenBits = 0x3FFF;
  if (chunk == "VP8 ") {
    return checked(numberOf(head, 26, 2, false) & kFourteenBits,
                   numberOf(head, 28, 2, false) & kFourteenBits);
  }
  if (chunk == "VP8L") {
    const std::int64_t packed = numberOf(head, 21, 4, false);
    return checked((packed & kFourteenBits) + 1, (packed >> 14 & kFourteenBits) + 1);
  }
  if (chunk == "VP8X") {
    return checked(numberOf(head, 24, 3, false) + 1, numberOf(head, 27, 3, false) + 1);
  }
  return std::nullopt;
}

std::optional<ImageExtent> extentOfBmp(const std::string& head) {
  constexpr std::int64_t kOldHeader = 12;
  if (numberOf(head, 14, 4, false) == kOldHeader) {
    return checked(numberOf(head, 18, 2, false), numberOf(head, 20, 2, false));
  }
  // A negative height means that rows are stored top to bottom.
  constexpr std::int64_t kSign = std::int64_t{1} << 31;
  const std::int64_t height = numberOf(head, 22, 4, false);
  return checked(numberOf(head, 18, 4, false),
                 height < kSign ? height : (std::int64_t{1} << 32) - height);
}

}  // namespace

std::optional<ImageExtent> imageExtent(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return std::nullopt;  // reading from a pipe could wait forever
  }
  Header header(path);
  constexpr std::size_t kHead = 32;
  const std::string head = header.bytes(0, kHead);
  constexpr std::string_view kPng("\x89PNG\r\n\x1A\n", 8);
  constexpr std::size_t kSmallest = 16;
  if (head.size() < kSmallest) {
    return std::nullopt;
  }
  if (head.starts_with(kPng)) {
    return checked(numberOf(head, 16, 4, true), numberOf(head, 20, 4, true));
  }
  if (head.starts_with("\xFF\xD8")) {
    return extentOfJpeg(header);
  }
  if (head.starts_with("GIF8")) {
    return checked(numberOf(head, 6, 2, false), numberOf(head, 8, 2, false));
  }
  if (head.starts_with("BM")) {
    return extentOfBmp(head);
  }
  return head.starts_with("RIFF") && head.substr(8, 4) == "WEBP" ? extentOfWebp(head)
                                                                 : std::nullopt;
}

}  // namespace dubito
