// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/image_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "core/data/pixels/image_bytes.h"
#include "tests/core/data/image_files.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::encoded;
using test::exifSegment;
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
  EXPECT_THAT(image.error().message, HasSubstr(dir.file(name)));
  return image.error().message;
}

TEST(ImageFile, ColoursComeAsRedGreenBlue) {
  const test::TempDir dir;
  cv::Mat image(1, 2, CV_8UC3);
  image.at<cv::Vec3b>(0, 0) = {30, 20, 10};  // OpenCV: blue 30, green 20, red 10
  image.at<cv::Vec3b>(0, 1) = {0, 0, 255};
  test::writeBytes(dir.file("a.png"), encoded(".png", image));
  const auto read = readImageFile(dir.file("a.png"));
  ASSERT_OK(read);
  EXPECT_EQ(read->pixels.shape(), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(pixelsOf(*read), (std::vector<int>{10, 20, 30, 255, 0, 0}));
}

TEST(ImageFile, GreyStaysOneChannelAndTransparencyIsDropped) {
  const test::TempDir dir;
  test::writeBytes(dir.file("grey.png"), encoded(".png", cv::Mat(2, 3, CV_8UC1, cv::Scalar(77))));
  const auto grey = readImageFile(dir.file("grey.png"));
  ASSERT_OK(grey);
  EXPECT_EQ(grey->pixels.shape(), (std::vector<std::int64_t>{2, 3, 1}));
  EXPECT_EQ(grey->pixels.values()[5], 77);
  test::writeBytes(dir.file("alpha.png"),
                   encoded(".png", cv::Mat(1, 1, CV_8UC4, cv::Scalar(3, 2, 1, 128))));
  EXPECT_EQ(pixelsOf(*readImageFile(dir.file("alpha.png"))), (std::vector<int>{1, 2, 3}));
  test::writeBytes(dir.file("deep.png"),
                   encoded(".png", cv::Mat(1, 1, CV_16UC1, cv::Scalar(0x8000))));
  EXPECT_EQ(pixelsOf(*readImageFile(dir.file("deep.png"))), (std::vector<int>{128}));
}

TEST(ImageFile, EveryFormatGivesTheSamePixels) {
  const test::TempDir dir;
  cv::Mat image(2, 2, CV_8UC3);
  image.at<cv::Vec3b>(0, 0) = {30, 20, 10};
  image.at<cv::Vec3b>(0, 1) = {0, 0, 255};
  image.at<cv::Vec3b>(1, 0) = {1, 2, 3};
  image.at<cv::Vec3b>(1, 1) = {255, 128, 0};
  const std::vector<int> lossless{cv::IMWRITE_WEBP_QUALITY, 101};
  for (const auto& [ending, options] : std::vector<std::pair<std::string, std::vector<int>>>{
           {".png", {}}, {".bmp", {}}, {".tiff", {}}, {".webp", lossless}}) {
    const std::string path = dir.file("image" + ending);
    test::writeBytes(path, encoded(ending, image, options));
    const auto read = readImageFile(path);
    ASSERT_OK(read);
    EXPECT_EQ(read->pixels.shape(), (std::vector<std::int64_t>{2, 2, 3}));
    EXPECT_EQ(pixelsOf(*read), (std::vector<int>{10, 20, 30, 255, 0, 0, 3, 2, 1, 0, 128, 255}))
        << ending;
  }
  for (const char* const ending : {".png", ".bmp", ".tiff", ".jpg"}) {
    const std::string path = dir.file(std::string("grey") + ending);
    test::writeBytes(path, encoded(ending, cv::Mat(16, 16, CV_8UC1, cv::Scalar(77))));
    const auto read = readImageFile(path);
    ASSERT_OK(read);
    EXPECT_EQ(read->pixels.shape(), (std::vector<std::int64_t>{16, 16, 1})) << ending;
    EXPECT_EQ(read->pixels.values()[100], 77) << ending;
  }
}

TEST(ImageFile, SixteenBitsAreScaledToEight) {
  const test::TempDir dir;
  const cv::Mat grey(1, 2, CV_16UC1, cv::Scalar(0x1212));
  const cv::Mat colour(1, 1, CV_16UC3, cv::Scalar(0x1010, 0x2020, 0x3030));
  const cv::Mat alpha(1, 1, CV_16UC4, cv::Scalar(0x1010, 0x2020, 0x3030, 0x7FFF));
  for (const char* const ending : {".png", ".tiff"}) {
    const std::string path = dir.file(std::string("deep") + ending);
    test::writeBytes(path, encoded(ending, grey));
    EXPECT_EQ(pixelsOf(*readImageFile(path)), (std::vector<int>{0x12, 0x12})) << ending;
    for (const cv::Mat& image : {colour, alpha}) {
      test::writeBytes(path, encoded(ending, image));
      EXPECT_EQ(pixelsOf(*readImageFile(path)), (std::vector<int>{0x30, 0x20, 0x10})) << ending;
    }
  }
  EXPECT_THAT(errorOfImage(encoded(".tiff", cv::Mat(2, 2, CV_64FC1, cv::Scalar(0.5))), "real.tiff"),
              HasSubstr("its 64-bit samples are not supported"));
}

TEST(ImageFile, TransparencyIsDroppedInEveryFormat) {
  const test::TempDir dir;
  const cv::Mat image(1, 1, CV_8UC4, cv::Scalar(3, 2, 1, 128));
  for (const char* const ending : {".png", ".bmp", ".tiff", ".webp"}) {
    const std::string path = dir.file(std::string("alpha") + ending);
    test::writeBytes(path, encoded(ending, image, {cv::IMWRITE_WEBP_QUALITY, 101}));
    EXPECT_EQ(pixelsOf(*readImageFile(path)), (std::vector<int>{1, 2, 3})) << ending;
  }
}

/// A baseline JPEG of 8 x 8 pixels of one colour in four components. With a quantisation by 8 a
/// block's only coefficient is its value less 128.
std::string fourComponentJpeg(const std::vector<int>& values) {
  const auto segment = [](int marker, const std::string& content) {
    const std::size_t length = content.size() + 2;
    return std::string{'\xFF', static_cast<char>(marker), static_cast<char>(length >> 8),
                       static_cast<char>(length & 0xFF)} +
           content;
  };
  std::string frame{8, 0, 8, 0, 8, 4};
  std::string scan{4};
  std::string bits;
  for (int component = 1; component <= 4; ++component) {
    frame += {static_cast<char>(component), 0x11, 0};
    scan += {static_cast<char>(component), 0};
    const int difference = values[static_cast<std::size_t>(component - 1)] - 128;
    int category = 0;
    while (std::abs(difference) >> category != 0) {
      ++category;
    }
    const int coded = difference < 0 ? difference + (1 << category) - 1 : difference;
    const auto append = [&bits](int value, int count) {
      for (int bit = count - 1; bit >= 0; --bit) {
        bits += ((value >> bit) & 1) != 0 ? '1' : '0';
      }
    };
    append(category, 4);  // the DC table gives category k the code k of four bits
    append(coded, category);
    append(0, 1);  // the AC table knows the end of the block alone
  }
  bits.append(8 - bits.size() % 8, '1');
  std::string data;
  for (std::size_t at = 0; at < bits.size(); at += 8) {
    data += static_cast<char>(std::stoi(bits.substr(at, 8), nullptr, 2));
    data += data.back() == '\xFF' ? std::string(1, '\0') : std::string();
  }
  std::string dc_table(1, '\0');
  dc_table += std::string{0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (char category = 0; category < 12; ++category) {
    dc_table += category;
  }
  const std::string ac_table = std::string{0x10, 1} + std::string(15, '\0') + std::string(1, '\0');
  const std::string adobe = std::string("Adobe\0\x64\0\0\0\0", 11) + std::string(1, '\0');
  return "\xFF\xD8" + segment(0xEE, adobe) +
         segment(0xDB, std::string(1, '\0') + std::string(64, '\x08')) + segment(0xC0, frame) +
         segment(0xC4, dc_table) + segment(0xC4, ac_table) +
         segment(0xDA, scan + std::string{0, 63, 0}) + data + "\xFF\xD9";
}

TEST(ImageFile, PrintColoursBecomeScreenColours) {
  const test::TempDir dir;
  // As Adobe stores it, 255 is no ink: cyan is full red absorbed, black halves all.
  for (const auto& [inks, colour] : std::vector<std::pair<std::vector<int>, std::vector<int>>>{
           {{255, 255, 255, 255}, {255, 255, 255}},
           {{0, 255, 255, 255}, {0, 255, 255}},
           {{255, 64, 128, 255}, {255, 64, 128}},
           {{255, 255, 255, 0}, {0, 0, 0}},
           {{255, 0, 255, 128}, {128, 0, 128}}}) {
    test::writeBytes(dir.file("print.jpg"), fourComponentJpeg(inks));
    const auto read = readImageFile(dir.file("print.jpg"));
    ASSERT_OK(read);
    ASSERT_EQ(read->pixels.shape(), (std::vector<std::int64_t>{8, 8, 3}));
    for (std::size_t channel = 0; channel < 3; ++channel) {
      EXPECT_NEAR(read->pixels.values()[channel], colour[channel], 2) << channel;
    }
  }
}

TEST(ImageFile, TheOrientationThatTheCameraNotedIsApplied) {
  const test::TempDir dir;
  cv::Mat image(16, 32, CV_8UC3, cv::Scalar(0, 0, 0));
  image(cv::Rect(0, 0, 16, 8)).setTo(cv::Scalar(255, 255, 255));  // white at the top left
  const std::string jpeg = encoded(".jpg", image);
  struct Corner {
    bool turned, right, bottom;
  };
  // Where EXIF 2.3 puts the first row and column of the stored image.
  const std::vector<Corner> corners{
      {false, false, false}, {false, true, false}, {false, true, true}, {false, false, true},
      {true, false, false},  {true, true, false},  {true, true, true},  {true, false, true}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    test::writeBytes(dir.file("turned.jpg"),
                     jpeg.substr(0, 2) + exifSegment(orientation) + jpeg.substr(2));
    const auto read = readImageFile(dir.file("turned.jpg"));
    ASSERT_OK(read);
    const Corner& expected = corners[static_cast<std::size_t>(orientation - 1)];
    ASSERT_EQ(read->height(), expected.turned ? 32 : 16) << orientation;
    ASSERT_EQ(read->width(), expected.turned ? 16 : 32) << orientation;
    for (const bool right : {false, true}) {
      for (const bool bottom : {false, true}) {
        const std::int64_t row = bottom ? read->height() - 2 : 1;
        const std::int64_t column = right ? read->width() - 2 : 1;
        const int value = read->pixels.row(row)[static_cast<std::size_t>(3 * column)];
        const bool white = right == expected.right && bottom == expected.bottom;
        EXPECT_NEAR(value, white ? 255 : 0, 40) << orientation << right << bottom;
      }
    }
  }
}

TEST(ImageFile, ImagesBeyondAHundredMegapixelsAreReadWhole) {
  const test::TempDir dir;
  {
    cv::Mat image(9000, 12000, CV_8UC1, cv::Scalar(0));
    image.at<std::uint8_t>(0, 0) = 1;
    image.at<std::uint8_t>(4567, 11999) = 2;
    image.at<std::uint8_t>(8999, 6000) = 3;
    test::writeBytes(dir.file("map.png"), encoded(".png", image, {cv::IMWRITE_PNG_COMPRESSION, 1}));
  }
  const auto read = readImageFile(dir.file("map.png"));
  ASSERT_OK(read);
  ASSERT_EQ(read->pixels.shape(), (std::vector<std::int64_t>{9000, 12000, 1}));
  EXPECT_EQ(read->pixels.row(0)[0], 1);
  EXPECT_EQ(read->pixels.row(4567)[11999], 2);
  EXPECT_EQ(read->pixels.row(8999)[6000], 3);
  EXPECT_EQ(std::count(read->pixels.values().begin(), read->pixels.values().end(), 0),
            9000 * 12000 - 3);
}

TEST(ImageFile, FilesThatEndEarlyAreRefusedThoughADecoderWouldFillThemUp) {
  cv::Mat noise(64, 64, CV_8UC3);
  cv::theRNG().state = 3;
  cv::randu(noise, 0, 256);
  for (const char* const ending : {".jpg", ".png", ".bmp", ".tiff", ".webp"}) {
    const std::string whole = encoded(ending, noise);
    EXPECT_EQ(imageDefect({reinterpret_cast<const std::uint8_t*>(whole.data()), whole.size()}), "");
    for (const std::size_t left : {whole.size() - 2, whole.size() / 2, std::size_t{30}}) {
      const std::string error = errorOfImage(whole.substr(0, left));
      // A TIFF file's directory is at its end, so that a cut one has none.
      EXPECT_TRUE(ending == std::string(".tiff") || error.find("is truncated") != std::string::npos)
          << ending << " cut to " << left << ": " << error;
    }
  }
}

TEST(ImageFile, TheEndOfAThumbnailIsNotTheEndOfTheImage) {
  const std::string jpeg = encoded(".jpg", plain(32, 32, 200, 100, 50));
  // A segment whose content looks like a whole small image.
  const std::string segment("\xFF\xE2\x00\x08\xFF\xD8\xFF\xD9\x00\x00", 10);
  const std::string whole = jpeg.substr(0, 2) + segment + jpeg.substr(2);
  const test::TempDir dir;
  test::writeBytes(dir.file("whole.jpg"), whole);
  EXPECT_TRUE(readImageFile(dir.file("whole.jpg")));
  EXPECT_THAT(errorOfImage(whole.substr(0, whole.size() - 2)), HasSubstr("is truncated"));
  test::writeBytes(dir.file("trailing.jpg"), whole + "what some cameras append");
  EXPECT_TRUE(readImageFile(dir.file("trailing.jpg")));
}

std::string littleEndian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>((value >> (8 * i)) & 0xFFU);
  }
  return text;
}

TEST(ImageFile, HeadersThatClaimMoreThanTheFileCanHoldAreRefusedBeforeAllocating) {
  const cv::Mat image = plain(16, 16, 1, 2, 3);
  // 16000 x 16000 is within what can be handled, but not in some hundred bytes.
  std::string png = encoded(".png", image);
  png.replace(16, 8, std::string("\0\0\x3E\x80\0\0\x3E\x80", 8));
  std::string jpeg = encoded(".jpg", image);
  jpeg.replace(jpeg.find("\xFF\xC0") + 5, 4, "\x3E\x80\x3E\x80");
  std::string bmp = encoded(".bmp", image);
  bmp.replace(18, 8, littleEndian(16000, 4) + littleEndian(16000, 4));
  std::string webp = encoded(".webp", image, {cv::IMWRITE_WEBP_QUALITY, 80});
  webp.replace(26, 4, littleEndian(16000, 2) + littleEndian(16000, 2));
  const std::string tiff = "II*" + std::string(1, '\0') + littleEndian(8, 4) + littleEndian(2, 2) +
                           littleEndian(256, 2) + littleEndian(3, 2) + littleEndian(1, 4) +
                           littleEndian(16000, 4) + littleEndian(257, 2) + littleEndian(3, 2) +
                           littleEndian(1, 4) + littleEndian(16000, 4) + littleEndian(0, 4);
  for (const std::string& bytes : {png, jpeg, bmp, webp, tiff}) {
    const std::string error = errorOfImage(bytes);
    EXPECT_THAT(error, HasSubstr("16000 x 16000 pixels, which its"));
  }
  bmp.replace(18, 8, littleEndian(70000, 4) + littleEndian((std::uint64_t{1} << 32) - 70000, 4));
  EXPECT_THAT(errorOfImage(bmp),
              HasSubstr("70000 x 70000 pixels, more than the limit of 268 million"));
}

TEST(ImageFile, OtherBrokenFilesAreRefused) {
  EXPECT_THAT(errorOfImage(""), HasSubstr("empty"));
  EXPECT_THAT(errorOfImage("this is a text"), HasSubstr("cannot be decoded"));
  std::string huge = encoded(".png", plain(1, 1, 0, 0, 0));
  huge[16] = '\x7f';  // most significant byte of the width
  EXPECT_THAT(errorOfImage(huge), HasSubstr("pixels, more than"));
  std::string damaged = encoded(".png", plain(8, 8, 1, 2, 3));
  damaged[45] = static_cast<char>(damaged[45] ^ 0x55);
  EXPECT_THAT(errorOfImage(damaged), HasSubstr("cannot be decoded"));
}

}  // namespace
}  // namespace dubito
