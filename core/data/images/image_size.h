// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dubito {

/// An image larger than this (268 megapixels, 0.8 GB in colour) is refused.
inline constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 28;

inline constexpr const char* kImageEndsEarly = "it ends before the image does";

/// Why an image of this size is refused, or nothing: it is too large, or `file_bytes` cannot hold
/// it, each byte of which describes at most `pixels_per_byte` pixels. A decoder would allocate all
/// of it before it notices.
[[nodiscard]] std::string imageSizeDefect(std::uint64_t width, std::uint64_t height,
                                          std::uint64_t file_bytes, std::uint64_t pixels_per_byte);

// What is wrong with a file of this format, as far as its header tells: its end, its size, and
// elements that are not read. Empty where nothing is.
[[nodiscard]] std::string bmpDefect(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string tiffDefect(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string webpDefect(std::span<const std::uint8_t> bytes);

}  // namespace dubito
