// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <utility>
#include <vector>

#include "core/data/pixels/image_bytes.h"
#include "core/data/pixels/image_file.h"

namespace dubito {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30;

Expected<std::vector<std::uint8_t>> bytesOf(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
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

}  // namespace

std::string opencvVersion() {
  return CV_VERSION;
}

Status canReadPhotographs() {
  return {};
}

Expected<Image8> readImageFile(const std::string& path) {
  const Expected<std::vector<std::uint8_t>> bytes = bytesOf(path);
  if (!bytes) {
    return failWith(bytes);
  }
  if (const std::string defect = imageDefect(*bytes); !defect.empty()) {
    return fail(ErrorCode::kMalformed, fmt::format("{}: {}; replace or remove it", path, defect));
  }
  cv::Mat decoded;
  try {
    // ANYCOLOR alone: 8 bits, one channel if the file is grey, EXIF orientation applied.
    decoded = cv::imdecode(*bytes, cv::IMREAD_ANYCOLOR);
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

}  // namespace dubito
