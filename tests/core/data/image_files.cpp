// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/image_files.h"

#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>

namespace dubito::test {

std::string encoded(const std::string& ending, const cv::Mat& image,
                    const std::vector<int>& options) {
  std::vector<unsigned char> bytes;
  if (!cv::imencode(ending, image, bytes, options)) {
    throw std::runtime_error("the image could not be encoded as " + ending);
  }
  return {bytes.begin(), bytes.end()};
}

cv::Mat plain(int height, int width, int red, int green, int blue) {
  return {height, width, CV_8UC3, cv::Scalar(blue, green, red)};
}

void writeBelow(const TempDir& dir, const std::string& path, const std::string& bytes) {
  std::filesystem::create_directories((dir.path() / path).parent_path());
  writeBytes(dir.path() / path, bytes);
}

std::string exifSegment(int orientation) {
  std::string exif(
      "\xFF\xE1\x00\x22"
      "Exif\0\0"
      "MM\0\x2A\0\0\0\x08"
      "\0\x01"
      "\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"
      "\0\0\0\0",
      36);
  exif[29] = static_cast<char>(orientation);
  return exif;
}

std::vector<int> pixelsOf(const Image8& image) {
  return {image.pixels.values().begin(), image.pixels.values().end()};
}

}  // namespace dubito::test
