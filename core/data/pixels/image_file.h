// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Success where this build can decode photographs, else kUnsupported with the reason.
[[nodiscard]] Status canReadPhotographs();

/// Version of the OpenCV that decodes them; empty in a build without it.
[[nodiscard]] std::string opencvVersion();

/// Decodes a photograph (JPEG, PNG, BMP, TIFF, WebP) to 8 bits: grey stays one channel (WebP has
/// colour alone), colour is red, green, blue, 16 bits are scaled to eight, transparency is
/// dropped, the orientation that the camera noted is applied, of several pages the first is read.
/// At most 2^28 pixels. Files that end early are refused, though a decoder would fill them up.
[[nodiscard]] Expected<Image8> readImageFile(const std::string& path);

}  // namespace dubito
