// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Fails with kUnsupported, stating the reason, if this build cannot decode photographs.
[[nodiscard]] Status canReadPhotographs();

/// Version of the OpenCV used for decoding; empty in a build without it.
[[nodiscard]] std::string opencvVersion();

/// Decodes a photograph (JPEG, PNG, BMP, TIFF, WebP) to 8 bits: grey images have one channel
/// (except in WebP, which is always colour), colour images are RGB, 16-bit values are scaled to 8
/// bits, transparency is dropped, the EXIF orientation is applied, and only the first page is read.
/// At most 2^28 pixels. Truncated files are refused, even if a decoder would fill in the rest.
[[nodiscard]] Expected<Image8> readImageFile(const std::string& path);

}  // namespace dubito
