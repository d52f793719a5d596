// SPDX-License-Identifier: GPL-3.0-or-later
// libdubito_photographs.so: all that needs OpenCV.
#include "core/data/pixels/photograph_library.h"

#include <algorithm>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <utility>

#include "core/data/pixels/exif_turn_cv.h"

namespace dubito {
namespace {

Expected<Image8> decode(const PhotographBytes& photograph) {
  // ANYCOLOR: 8 bits, one channel if the file is grey. With it, the flags of reduced grey images
  // say only how much smaller.
  const int reduced =
      photograph.fraction == 8   ? cv::IMREAD_ANYCOLOR | cv::IMREAD_REDUCED_GRAYSCALE_8
      : photograph.fraction == 4 ? cv::IMREAD_ANYCOLOR | cv::IMREAD_REDUCED_GRAYSCALE_4
      : photograph.fraction == 2 ? cv::IMREAD_ANYCOLOR | cv::IMREAD_REDUCED_GRAYSCALE_2
                                 : cv::IMREAD_ANYCOLOR;
  const int deep = photograph.is_deep ? cv::IMREAD_ANYDEPTH : 0;
  cv::Mat decoded;
  try {
    // Read only; imdecode has no other input.
    const cv::Mat bytes(1, static_cast<int>(photograph.bytes.size()), CV_8U,
                        const_cast<std::uint8_t*>(photograph.bytes.data()));
    decoded = cv::imdecode(bytes, reduced | deep | cv::IMREAD_IGNORE_ORIENTATION);
    if (photograph.white != 0) {
      decoded.convertTo(decoded, CV_8U, 255.0 / static_cast<double>(photograph.white));
    }
    turnAsTagged(photograph.orientation, decoded);
  } catch (const cv::Exception& exception) {
    return fail(ErrorCode::kMalformed, "cannot be decoded; replace or remove it", exception.what());
  }
  if (decoded.empty() || decoded.depth() != CV_8U ||
      (decoded.channels() != 1 && decoded.channels() != 3)) {
    return fail(ErrorCode::kMalformed, "cannot be decoded as an image; replace or remove it");
  }
  // Convert OpenCV's BGR to RGB, the order used everywhere else; in place, because images can be
  // large.
  if (decoded.channels() == 3) {
    for (int row = 0; row < decoded.rows; ++row) {
      auto* const pixels = decoded.ptr<cv::Vec3b>(row);
      std::for_each(pixels, pixels + decoded.cols,
                    [](cv::Vec3b& pixel) { std::swap(pixel[0], pixel[2]); });
    }
  }
  const auto owner =
      std::make_shared<const cv::Mat>(decoded.isContinuous() ? decoded : decoded.clone());
  return Image8{
      Array<std::uint8_t>::view({owner->rows, owner->cols, owner->channels()}, owner->data, owner)};
}

constexpr PhotographLibrary kLibrary{.decode = decode, .opencv_version = CV_VERSION};

}  // namespace
}  // namespace dubito

extern "C" __attribute__((visibility("default"))) const dubito::PhotographLibrary*
dubito_photographs_v1() {
  return &dubito::kLibrary;
}
