// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"

namespace dubito {

/// Resizes planes [C, H, W] to [C, height, width] as torch does: "bilinear" and "bicubic"
/// antialiased with half-pixel centres (the edges of both images coincide), "nearest" the pixel at
/// floor(position). Runs on the calling thread only. Throws std::invalid_argument for an unknown
/// interpolation.
[[nodiscard]] Array<float> resizePlanes(const Array<float>& planes, std::int64_t height,
                                        std::int64_t width, const std::string& interpolation);

}  // namespace dubito
