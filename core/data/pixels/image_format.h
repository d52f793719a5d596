// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dubito {

/// Formats of image files that are decoded.
enum class ImageFormat { kJpeg, kJpeg2000, kPng, kBmp, kTiff, kWebp, kNetpbm, kSunRaster };

/// Number of bytes at the start of a file that imageFormat and undecodedFormat need.
inline constexpr std::size_t kFormatBytes = 256;

/// The format of a file that begins with `bytes`, whatever its name; nothing if it is none of them.
[[nodiscard]] std::optional<ImageFormat> imageFormat(std::span<const std::uint8_t> bytes);

/// Name of a well-known image format that is not decoded ("GIF"); empty if the file is none.
[[nodiscard]] std::string_view undecodedFormat(std::span<const std::uint8_t> bytes);

}  // namespace dubito
