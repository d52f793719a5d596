// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dubito {

/// Largest number of pixels of an image that is read: 268 megapixels, 0.8 GB in colour.
inline constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 28;

inline constexpr const char* kImageTruncated = "it is truncated";

/// Why an image of this size is refused; empty if it is accepted. It is refused if it has more than
/// kMaxPixels pixels, or more than `file_bytes` bytes can contain with at most `pixels_per_byte`
/// pixels per byte. A decoder would allocate memory for the whole image before it noticed.
[[nodiscard]] std::string imageSizeDefect(std::uint64_t width, std::uint64_t height,
                                          std::uint64_t file_bytes, std::uint64_t pixels_per_byte);

// Why a file of this format is refused, judging by its header (truncation, size, unsupported
// features); empty if it is accepted.
[[nodiscard]] std::string bmpDefect(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string tiffDefect(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string jpeg2000Defect(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string sunRasterDefect(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string webpDefect(std::span<const std::uint8_t> bytes);

}  // namespace dubito
