// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Success if this build can decode photographs, else kUnsupported with the reason.
[[nodiscard]] Status canReadPhotographs();

/// Version of the OpenCV used for decoding; empty in a build without it.
[[nodiscard]] std::string opencvVersion();

/// Decodes a photograph (JPEG, PNG, BMP, TIFF, WebP) to 8 bits: grey stays one channel (except in
/// WebP, which is always colour), colour is RGB, 16 bits are scaled to 8, transparency is dropped,
/// the EXIF orientation is applied, and only the first page is read. At most 2^28 pixels. Truncated
/// files are refused, even if a decoder would fill in the rest.
[[nodiscard]] Expected<Image8> readImageFile(const std::string& path);

}  // namespace dubito
