// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Success where this build can decode photographs, else kUnsupported with the reason.
[[nodiscard]] Status canReadPhotographs();

/// Decodes a photograph (JPEG, PNG, and what else OpenCV reads) to 8 bits: grey stays one channel,
/// colour is red, green, blue, transparency is dropped, the orientation that the camera noted is
/// applied. Files that end early are refused, though a decoder would fill them up.
[[nodiscard]] Expected<Image8> readImageFile(const std::string& path);

}  // namespace dubito
