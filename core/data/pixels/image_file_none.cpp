// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/image_file.h"

namespace dubito {

Status canReadPhotographs() {
  return fail(ErrorCode::kUnsupported,
              "this build cannot read photographs because it has no OpenCV; rebuild with "
              "-DDUBITO_OPENCV=ON, or use idx or npz files");
}

std::string opencvVersion() {
  return {};
}

Expected<Image8> readImageFile(const std::string& path) {
  return failOf(path, canReadPhotographs().error());
}

Expected<ReducedImage> readReducedImageFile(const std::string& path, std::int64_t /*min_side*/) {
  return failWith(readImageFile(path));
}

}  // namespace dubito
