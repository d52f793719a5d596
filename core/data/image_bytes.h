// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dubito {

/// What is wrong with the frame of a JPEG or PNG file: "it ends before the image does", a size
/// beyond 2^28 pixels, a damaged structure. Empty where nothing is, and for other formats. Decoders
/// replace what is missing by grey with no more than a warning, so this is looked at before.
[[nodiscard]] std::string imageFrameDefect(std::span<const std::uint8_t> bytes);

}  // namespace dubito
