// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image_file.h"

#include <gtest/gtest.h>

#include <opencv2/core.hpp>

#include "core/data/image_bytes.h"
#include "tests/core/data/image_files.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::encoded;
using test::pixelsOf;
using test::plain;

std::string errorOfImage(const std::string& bytes, const std::string& name = "image.jpg") {
  const test::TempDir dir;
  test::writeBytes(dir.file(name), bytes);
  const auto image = readImageFile(dir.file(name));
  if (image) {
    ADD_FAILURE() << "the file was read";
    return {};
  }
  EXPECT_NE(image.error().message.find(dir.file(name)), std::string::npos);
  return image.error().message;
}

TEST(ImageFile, coloursComeAsRedGreenBlue) {
  const test::TempDir dir;
  cv::Mat image(1, 2, CV_8UC3);
  image.at<cv::Vec3b>(0, 0) = {30, 20, 10};  // OpenCV: blue 30, green 20, red 10
  image.at<cv::Vec3b>(0, 1) = {0, 0, 255};
  test::writeBytes(dir.file("a.png"), encoded(".png", image));
  const auto read = readImageFile(dir.file("a.png"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->pixels.shape(), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(pixelsOf(*read), (std::vector<int>{10, 20, 30, 255, 0, 0}));
}

TEST(ImageFile, greyStaysOneChannelAndTransparencyIsDropped) {
  const test::TempDir dir;
  test::writeBytes(dir.file("grey.png"), encoded(".png", cv::Mat(2, 3, CV_8UC1, cv::Scalar(77))));
  const auto grey = readImageFile(dir.file("grey.png"));
  ASSERT_TRUE(grey) << grey.error().message;
  EXPECT_EQ(grey->pixels.shape(), (std::vector<std::int64_t>{2, 3, 1}));
  EXPECT_EQ(grey->pixels.values()[5], 77);
  test::writeBytes(dir.file("alpha.png"),
                   encoded(".png", cv::Mat(1, 1, CV_8UC4, cv::Scalar(3, 2, 1, 128))));
  EXPECT_EQ(pixelsOf(*readImageFile(dir.file("alpha.png"))), (std::vector<int>{1, 2, 3}));
  test::writeBytes(dir.file("deep.png"),
                   encoded(".png", cv::Mat(1, 1, CV_16UC1, cv::Scalar(0x8000))));
  EXPECT_EQ(pixelsOf(*readImageFile(dir.file("deep.png"))), (std::vector<int>{128}));
}

TEST(ImageFile, theOrientationThatTheCameraNotedIsApplied) {
  const test::TempDir dir;
  cv::Mat image(16, 32, CV_8UC3, cv::Scalar(0, 0, 0));
  image.colRange(0, 16).setTo(cv::Scalar(255, 255, 255));  // the left half is white
  const std::string jpeg = encoded(".jpg", image);
  // An EXIF segment with one tag: orientation 6, "turn by 90 degrees clockwise to view".
  const std::string exif(
      "\xFF\xE1\x00\x22"
      "Exif\0\0"
      "MM\0\x2A\0\0\0\x08"
      "\0\x01"
      "\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"
      "\0\0\0\0",
      36);
  test::writeBytes(dir.file("turned.jpg"), jpeg.substr(0, 2) + exif + jpeg.substr(2));
  const auto turned = readImageFile(dir.file("turned.jpg"));
  ASSERT_TRUE(turned) << turned.error().message;
  ASSERT_EQ(turned->height(), 32);
  ASSERT_EQ(turned->width(), 16);
  EXPECT_GT(turned->pixels.row(2)[24], 200) << "left became top";
  EXPECT_LT(turned->pixels.row(29)[24], 50);
}

TEST(ImageFile, filesThatEndEarlyAreRefusedThoughADecoderWouldFillThemUp) {
  cv::Mat noise(64, 64, CV_8UC3);
  cv::theRNG().state = 3;
  cv::randu(noise, 0, 256);
  for (const char* const ending : {".jpg", ".png"}) {
    const std::string whole = encoded(ending, noise);
    EXPECT_EQ(imageFrameDefect({reinterpret_cast<const std::uint8_t*>(whole.data()), whole.size()}),
              "");
    for (const std::size_t left : {whole.size() - 2, whole.size() / 2, std::size_t{30}}) {
      EXPECT_NE(errorOfImage(whole.substr(0, left)).find("ends before the image does"),
                std::string::npos)
          << ending << " cut to " << left;
    }
  }
}

TEST(ImageFile, theEndOfAThumbnailIsNotTheEndOfTheImage) {
  const std::string jpeg = encoded(".jpg", plain(32, 32, 200, 100, 50));
  // A segment whose content looks like a whole small image.
  const std::string segment("\xFF\xE2\x00\x08\xFF\xD8\xFF\xD9\x00\x00", 10);
  const std::string whole = jpeg.substr(0, 2) + segment + jpeg.substr(2);
  const test::TempDir dir;
  test::writeBytes(dir.file("whole.jpg"), whole);
  EXPECT_TRUE(readImageFile(dir.file("whole.jpg")));
  EXPECT_NE(errorOfImage(whole.substr(0, whole.size() - 2)).find("ends before"), std::string::npos);
  test::writeBytes(dir.file("trailing.jpg"), whole + "what some cameras append");
  EXPECT_TRUE(readImageFile(dir.file("trailing.jpg")));
}

TEST(ImageFile, otherBrokenFilesAreRefused) {
  EXPECT_NE(errorOfImage("").find("empty"), std::string::npos);
  EXPECT_NE(errorOfImage("this is a text").find("cannot be decoded"), std::string::npos);
  std::string huge = encoded(".png", plain(1, 1, 0, 0, 0));
  huge[16] = '\x7f';  // most significant byte of the width
  EXPECT_NE(errorOfImage(huge).find("pixels, more than"), std::string::npos);
  std::string damaged = encoded(".png", plain(8, 8, 1, 2, 3));
  damaged[45] = static_cast<char>(damaged[45] ^ 0x55);
  EXPECT_NE(errorOfImage(damaged).find("cannot be decoded"), std::string::npos);
}

}  // namespace
}  // namespace dubito
