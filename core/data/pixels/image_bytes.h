// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dubito {

/// What is wrong with the frame of an image file: a format that is not read (JPEG, PNG, BMP, TIFF
/// and WebP are), "it ends before the image does", a size beyond 2^28 pixels or beyond what the
/// file can hold, a damaged structure. Empty where nothing is. Decoders replace what is missing by
/// grey with no more than a warning, and allocate whatever a header claims, so this is looked at
/// before.
[[nodiscard]] std::string imageFrameDefect(std::span<const std::uint8_t> bytes);

}  // namespace dubito
