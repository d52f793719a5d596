// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/image_extent.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) {
    text += static_cast<char>(value);
  }
  return text;
}

std::string padded(std::string text) {
  text.resize(std::max<std::size_t>(text.size(), 64), '\0');
  return text;
}

std::optional<ImageExtent> extentOf(const std::string& text) {
  const test::TempDir dir;
  test::writeBytes(dir.file("image"), text);
  return imageExtent(dir.file("image"));
}

/// Start, an APP1 segment, a table, and a frame of 300 x 200 pixels.
std::string jpeg(const std::string& exif) {
  std::string text = bytes({0xFF, 0xD8});
  if (!exif.empty()) {
    text += bytes({0xFF, 0xE1, 0, static_cast<int>(exif.size() + 2)}) + exif;
  }
  text += bytes({0xFF, 0xC4, 0, 4, 9, 9});
  return text + bytes({0xFF, 0xC0, 0, 17, 8, 0, 200, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1});
}

/// EXIF data with an orientation.
std::string exif(int orientation, bool big_endian) {
  return std::string("Exif\0\0", 6) +
         (big_endian ? bytes({'M', 'M', 0, 42, 0, 0, 0,           8, 0, 1, 1, 0x12, 0,
                              3,   0,   0, 0,  1, 0, orientation, 0, 0, 0, 0, 0,    0})
                     : bytes({'I', 'I', 42, 0, 8, 0,           0, 0, 1, 0, 0x12, 1, 3,
                              0,   1,   0,  0, 0, orientation, 0, 0, 0, 0, 0,    0, 0}));
}

TEST(ImageExtent, IsThatOfTheHeader) {
  const ImageExtent expected{300, 200};
  EXPECT_EQ(extentOf(padded(bytes({0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13,
                                   'I',  'H', 'D', 'R', 0,  0,  1,  44, 0, 0, 0, 200}))),
            expected);
  EXPECT_EQ(extentOf(padded(bytes({'G', 'I', 'F', '8', '9', 'a', 44, 1, 200, 0}))), expected);
  EXPECT_EQ(extentOf(padded(bytes({'B', 'M', 0, 0, 0, 0,  0, 0, 0, 0,    54,   0,    0,
                                   0,   40,  0, 0, 0, 44, 1, 0, 0, 0x38, 0xFF, 0xFF, 0xFF}))),
            expected)
      << "stored top to bottom";
  EXPECT_EQ(extentOf(padded("RIFF    WEBPVP8X    " + bytes({0, 0, 0, 0, 43, 1, 0, 199, 0, 0}))),
            expected);
  EXPECT_EQ(
      extentOf(padded("RIFF    WEBPVP8     " + bytes({0, 0, 0, 0x9D, 1, 0x2A, 44, 1, 200, 0}))),
      expected);
}

TEST(ImageExtent, OfAJpegFollowsItsOrientation) {
  EXPECT_EQ(extentOf(jpeg("")), (ImageExtent{300, 200}));
  for (const bool big_endian : {false, true}) {
    EXPECT_EQ(extentOf(jpeg(exif(3, big_endian))), (ImageExtent{300, 200})) << "upside down";
    EXPECT_EQ(extentOf(jpeg(exif(6, big_endian))), (ImageExtent{200, 300})) << "turned";
  }
}

TEST(ImageExtent, OfOtherFilesIsUnknown) {
  EXPECT_EQ(extentOf(""), std::nullopt);
  EXPECT_EQ(extentOf("hello, this is not an image of any kind at all"), std::nullopt);
  EXPECT_EQ(extentOf(jpeg("").substr(0, 14) + std::string(40, '\0')), std::nullopt);
  EXPECT_EQ(extentOf(padded(bytes({0x89, 'P', 'N', 'G', 13, 10, 26, 10}))), std::nullopt);
  EXPECT_EQ(imageExtent("/nowhere/image.png"), std::nullopt);
  EXPECT_EQ(imageExtent("/tmp"), std::nullopt);
}

}  // namespace
}  // namespace dubito
