// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/regular_file.h"
#include "core/data/pixels/exif_orientation_tag.h"
#include "core/data/pixels/exif_turn_cv.h"
#include "core/data/pixels/image_bytes.h"
#include "core/data/pixels/image_file.h"
#include "core/data/pixels/netpbm.h"

namespace dubito {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30;

Expected<std::vector<std::uint8_t>> bytesOf(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (Status is_file = checkRegularFile(path); !is_file) {
    return failWith(is_file);
  }
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: is gone; put the image back, or open the dataset from the folder "
                            "where its images are now",
                            path));
  }
  if (error) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read ({}); check the file", path, error.message()));
  }
  if (size == 0) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the file is empty; replace or remove it", path));
  }
  if (size > kMaxFileBytes) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: {} MB is too large for an image; make it smaller", path, size >> 20));
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read; check its permissions", path));
  }
  return bytes;
}

/// The bytes of a file that can be decoded.
Expected<std::vector<std::uint8_t>> soundBytesOf(const std::string& path) {
  Expected<std::vector<std::uint8_t>> bytes = bytesOf(path);
  if (!bytes) {
    return bytes;
  }
  if (const std::string defect = imageDefect(*bytes); !defect.empty()) {
    return fail(ErrorCode::kMalformed, fmt::format("{}: {}; replace or remove it", path, defect));
  }
  return bytes;
}

/// Scales the samples of a Netpbm file, whose header states which of them is white, to 8 bits.
/// OpenCV does so for text of 8 bits alone.
void scaleToWhite(const std::optional<NetpbmHeader>& netpbm, cv::Mat& image) {
  constexpr std::uint64_t kByte = 255;
  if (netpbm && netpbm->white != 1 && netpbm->white != kByte &&
      (netpbm->white > kByte || !netpbm->isText())) {
    image.convertTo(image, CV_8U, static_cast<double>(kByte) / static_cast<double>(netpbm->white));
  }
}

/// The whole image, or a half, a quarter or an eighth of it.
Expected<Image8> decodeImage(const std::string& path, const std::vector<std::uint8_t>& bytes,
                             int fraction) {
  // ANYCOLOR: 8 bits, one channel if the file is grey. With it, the flags of reduced grey images
  // say only how much smaller.
  const int reduced = fraction == 8   ? cv::IMREAD_ANYCOLOR | cv::IMREAD_REDUCED_GRAYSCALE_8
                      : fraction == 4 ? cv::IMREAD_ANYCOLOR | cv::IMREAD_REDUCED_GRAYSCALE_4
                      : fraction == 2 ? cv::IMREAD_ANYCOLOR | cv::IMREAD_REDUCED_GRAYSCALE_2
                                      : cv::IMREAD_ANYCOLOR;
  const auto netpbm = netpbmHeader(bytes);
  const int deep = netpbm && netpbm->white > 255 ? cv::IMREAD_ANYDEPTH : 0;
  cv::Mat decoded;
  try {
    decoded = cv::imdecode(bytes, reduced | deep | cv::IMREAD_IGNORE_ORIENTATION);
    scaleToWhite(netpbm, decoded);
    turnAsTagged(exifOrientationTag(bytes), decoded);
  } catch (const cv::Exception& exception) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: cannot be decoded; replace or remove it", path), exception.what());
  }
  if (decoded.empty() || decoded.depth() != CV_8U ||
      (decoded.channels() != 1 && decoded.channels() != 3)) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: cannot be decoded as an image; replace or remove it", path));
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

}  // namespace

std::string opencvVersion() {
  return CV_VERSION;
}

Status canReadPhotographs() {
  return {};
}

Expected<Image8> readImageFile(const std::string& path) {
  const auto bytes = soundBytesOf(path);
  return bytes ? decodeImage(path, *bytes, 1) : failWith(bytes);
}

Expected<ReducedImage> readReducedImageFile(const std::string& path, std::int64_t min_side) {
  const auto bytes = soundBytesOf(path);
  if (!bytes) {
    return failWith(bytes);
  }
  const std::int64_t side = longerSideOfJpeg(*bytes);
  int fraction = side == 0 ? 1 : 8;
  while (fraction > 1 && (side + fraction - 1) / fraction < min_side) {
    fraction /= 2;
  }
  return decodeImage(path, *bytes, fraction).map([fraction](Image8 image) {
    return ReducedImage{std::move(image), fraction == 1};
  });
}

}  // namespace dubito
