// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Whether this program reads images. A program without torch and OpenCV opens datasets for their
/// names and labels only.
[[nodiscard]] bool readsPixels();

}  // namespace dubito
