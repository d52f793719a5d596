// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the place of this folder in programs without torch and OpenCV.
#include <stdexcept>

#include "core/data/pixels/corrupted.h"
#include "core/data/pixels/image_file.h"
#include "core/data/pixels/reads_pixels.h"
#include "core/data/pixels/resize.h"

namespace dubito {
namespace {

[[noreturn]] void refuse() {
  throw std::logic_error("this program opens datasets without reading their images");
}

}  // namespace

bool readsPixels() {
  return false;
}

/// The names and labels of photographs need no decoder.
Status canReadPhotographs() {
  return {};
}

Expected<Image8> readImageFile(const std::string& /*path*/) {
  refuse();
}

Expected<ReducedImage> readReducedImageFile(const std::string& /*path*/,
                                            std::int64_t /*min_side*/) {
  refuse();
}

Expected<Sample> corrupted(const Sample& /*sample*/, const Corruption& /*corruption*/,
                           std::int64_t /*item_id*/) {
  refuse();
}

Array<float> resizePlanes(const Array<float>& /*planes*/, std::int64_t /*height*/,
                          std::int64_t /*width*/, const std::string& /*interpolation*/) {
  refuse();
}

}  // namespace dubito
