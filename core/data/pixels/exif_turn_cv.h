// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core.hpp>

namespace dubito {

/// Turns and mirrors an image as stored into the one to show. `orientation`: exifOrientationTag().
void turnAsTagged(int orientation, cv::Mat& image);

}  // namespace dubito
