// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// The first bytes of a PNG file.
inline constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

/// A chunk of a PNG file: the length of `content`, the four letters of `name`, `content` and its
/// checksum.
[[nodiscard]] std::string pngChunk(std::string_view name, std::string_view content);

/// Writes an image with 3 channels as a PNG file of 8 bits per channel. kWriteFailed; an older file
/// is then unchanged.
[[nodiscard]] Status writePng(const std::string& path, const Image8& image);

}  // namespace dubito
