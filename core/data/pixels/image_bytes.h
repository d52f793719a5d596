// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dubito {

/// Why an image file cannot be decoded; empty if its structure is valid. Reports unsupported
/// formats (see ImageFormat), truncated files, sizes above 2^28 pixels
/// or beyond what the file can contain, and damaged structures. Call this before decoding, because
/// decoders fill missing data with grey, at most with a warning, and allocate the size that a
/// header claims.
[[nodiscard]] std::string imageDefect(std::span<const std::uint8_t> bytes);

/// Pixels of the longer side of a JPEG file, from its header; 0 for other formats.
[[nodiscard]] std::int64_t longerSideOfJpeg(std::span<const std::uint8_t> bytes);

}  // namespace dubito
