// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Writes an image with 3 channels as a PNG file of 8 bits per channel. kWriteFailed; an older file
/// is then unchanged.
[[nodiscard]] Status writePng(const std::string& path, const Image8& image);

}  // namespace dubito
