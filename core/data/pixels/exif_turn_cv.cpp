// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/exif_turn_cv.h"

namespace dubito {

void turnAsTagged(int orientation, cv::Mat& image) {
  constexpr int kFirstTransposed = 5;
  if (image.empty() || orientation == 1) {
    return;
  }
  if (orientation >= kFirstTransposed) {
    cv::transpose(image, image);
  }
  switch (orientation) {
    case 2:
    case 6:
      cv::flip(image, image, 1);
      break;
    case 4:
    case 8:
      cv::flip(image, image, 0);
      break;
    case 3:
    case 7:
      cv::flip(image, image, -1);
      break;
    default:
      break;
  }
}

}  // namespace dubito
