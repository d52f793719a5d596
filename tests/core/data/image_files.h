// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "core/base/plot_values.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {

/// The bytes of an image file; `options` are OpenCV's pairs of flags and values.
[[nodiscard]] std::string encoded(const std::string& ending, const cv::Mat& image,
                                  const std::vector<int>& options = {});

/// An image of one colour.
[[nodiscard]] cv::Mat plain(int height, int width, int red, int green, int blue);

/// Writes a file below `dir`, with the folders that its path needs.
void writeBelow(const TempDir& dir, const std::string& path, const std::string& bytes);

/// The segment of a JPEG file with one EXIF tag, the orientation.
[[nodiscard]] std::string exifSegment(int orientation);

[[nodiscard]] std::vector<int> pixelsOf(const Image8& image);

}  // namespace dubito::test
