// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace dubito {

/// The EXIF orientation in a JPEG, PNG or WebP file, 1 (as stored) to 8; 1 if absent, or in another
/// format. exif_turn_cv.h turns the image; that of TIFF is turned by its decoder.
[[nodiscard]] int exifOrientationTag(std::span<const std::uint8_t> bytes);

}  // namespace dubito
