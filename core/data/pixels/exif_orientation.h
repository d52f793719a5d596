// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace dubito {

/// How a JPEG, PNG or WebP file says that its image is to be turned, 1 (as stored) to 8, in the
/// numbers of EXIF; 1 if it does not say, or in another format. (Decoders of TIFF turn the image
/// themselves.)
[[nodiscard]] int exifOrientation(std::span<const std::uint8_t> bytes);

}  // namespace dubito
