// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dubito {

/// Size of an image when displayed, in pixels.
struct ImageExtent {
  std::int64_t width = 0;
  std::int64_t height = 0;

  friend bool operator==(const ImageExtent&, const ImageExtent&) = default;
};

/// The size that the header of a PNG, JPEG, GIF, BMP or WebP file states, turned as the EXIF data
/// of a JPEG file say. Nothing for other formats and for files that cannot be read. Nothing is
/// decoded.
[[nodiscard]] std::optional<ImageExtent> imageExtent(const std::string& path);

}  // namespace dubito
