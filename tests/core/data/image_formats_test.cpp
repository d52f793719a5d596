// SPDX-License-Identifier: GPL-3.0-or-later
// One promise for every format: the contents decide, and what the camera noted is applied.
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "core/data/pixels/exif_orientation_tag.h"
#include "core/data/pixels/image_bytes.h"
#include "core/data/pixels/image_file.h"
#include "core/data/pixels/image_format.h"
#include "tests/core/data/image_files.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::encoded;
using test::pixelsOf;

std::string number(std::uint32_t value, int bytes, bool big_endian) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>((value >> (8 * (big_endian ? bytes - 1 - i : i))) & 0xFFU);
  }
  return text;
}

std::span<const std::uint8_t> bytesOf(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// An EXIF block with one tag, the orientation.
std::string exifBlock(int orientation, bool big_endian, bool with_mark = false) {
  const auto of = [big_endian](std::uint32_t value, int bytes) {
    return number(value, bytes, big_endian);
  };
  return std::string(with_mark ? "Exif" : "") + (with_mark ? std::string(2, '\0') : "") +
         (big_endian ? "MM" : "II") + of(42, 2) + of(8, 4) + of(1, 2) + of(0x0112, 2) + of(3, 2) +
         of(1, 4) + of(static_cast<std::uint32_t>(orientation), 2) + of(0, 2) + of(0, 4);
}

std::string pngChunk(const std::string& name, const std::string& content) {
  const std::string named = name + content;
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size()));
  return number(static_cast<std::uint32_t>(content.size()), 4, true) + named +
         number(static_cast<std::uint32_t>(sum), 4, true);
}

/// Lossless pixels of a JPEG are not to be had; large areas survive.
cv::Mat fourCorners() {
  cv::Mat image(32, 48, CV_8UC3, cv::Scalar(0, 0, 0));
  image(cv::Rect(0, 0, 24, 16)).setTo(cv::Scalar(255, 255, 255));
  image(cv::Rect(24, 0, 24, 16)).setTo(cv::Scalar(170, 170, 170));
  image(cv::Rect(0, 16, 24, 16)).setTo(cv::Scalar(85, 85, 85));
  return image;
}

/// How EXIF 2.3 stores `upright` under an orientation.
cv::Mat storedAs(const cv::Mat& upright, int orientation) {
  cv::Mat stored = upright.clone();
  switch (orientation) {
    case 2:
      cv::flip(upright, stored, 1);
      break;
    case 3:
      cv::rotate(upright, stored, cv::ROTATE_180);
      break;
    case 4:
      cv::flip(upright, stored, 0);
      break;
    case 5:
      cv::transpose(upright, stored);
      break;
    case 6:
      cv::rotate(upright, stored, cv::ROTATE_90_COUNTERCLOCKWISE);
      break;
    case 7:
      cv::rotate(upright, stored, cv::ROTATE_180);
      cv::transpose(stored.clone(), stored);
      break;
    case 8:
      cv::rotate(upright, stored, cv::ROTATE_90_CLOCKWISE);
      break;
    default:
      break;
  }
  return stored;
}

using WriteTurned = std::function<std::string(const cv::Mat&, int)>;

std::string jpegWith(const cv::Mat& image, int orientation) {
  const std::string jpeg = encoded(".jpg", image, {cv::IMWRITE_JPEG_QUALITY, 100});
  return jpeg.substr(0, 2) + test::exifSegment(orientation) + jpeg.substr(2);
}

std::string pngWith(const cv::Mat& image, int orientation) {
  const std::string png = encoded(".png", image);
  constexpr std::size_t kAfterHeader = 33;
  return png.substr(0, kAfterHeader) + pngChunk("eXIf", exifBlock(orientation, true)) +
         png.substr(kAfterHeader);
}

/// The eXIf chunk may also come last.
std::string pngWithAtEnd(const cv::Mat& image, int orientation) {
  const std::string png = encoded(".png", image);
  constexpr std::size_t kEnd = 12;
  return png.substr(0, png.size() - kEnd) + pngChunk("eXIf", exifBlock(orientation, false)) +
         png.substr(png.size() - kEnd);
}

std::string webp(const cv::Mat& image, int orientation, bool lossless, bool with_mark) {
  const std::string plain =
      encoded(".webp", image, {cv::IMWRITE_WEBP_QUALITY, lossless ? 101 : 100});
  constexpr std::size_t kFirstChunk = 12;
  std::string exif = exifBlock(orientation, with_mark, with_mark);
  const std::string length = number(static_cast<std::uint32_t>(exif.size()), 4, false);
  exif += std::string(exif.size() % 2, '\0');
  constexpr std::uint32_t kHasExif = 8;
  const std::string extended = "VP8X" + number(10, 4, false) + number(kHasExif, 4, false) +
                               number(static_cast<std::uint32_t>(image.cols - 1), 3, false) +
                               number(static_cast<std::uint32_t>(image.rows - 1), 3, false);
  const std::string content =
      "WEBP" + extended + plain.substr(kFirstChunk) + "EXIF" + length + exif;
  return "RIFF" + number(static_cast<std::uint32_t>(content.size()), 4, false) + content;
}

/// An uncompressed TIFF of one strip.
std::string tiffWith(const cv::Mat& image, int orientation) {
  const auto channels = static_cast<std::uint32_t>(image.channels());
  const auto entry = [](std::uint32_t tag, std::uint32_t type, std::uint32_t count,
                        std::uint32_t value) {
    return number(tag, 2, false) + number(type, 2, false) + number(count, 4, false) +
           number(value, 4, false);
  };
  std::string pixels;
  for (int row = 0; row < image.rows; ++row) {
    for (int column = 0; column < image.cols; ++column) {
      for (int channel = image.channels() - 1; channel >= 0; --channel) {
        pixels += static_cast<char>(image.ptr(row, column)[channel]);
      }
    }
  }
  constexpr std::uint32_t kEntries = 11;
  constexpr std::uint32_t kDirectory = 2 + kEntries * 12 + 4;
  const std::uint32_t bits_at = 8 + kDirectory;
  const std::uint32_t pixels_at = bits_at + 6;
  const std::string directory =
      number(kEntries, 2, false) + entry(256, 3, 1, static_cast<std::uint32_t>(image.cols)) +
      entry(257, 3, 1, static_cast<std::uint32_t>(image.rows)) +
      entry(258, 3, channels, channels == 1 ? 8 : bits_at) + entry(259, 3, 1, 1) +
      entry(262, 3, 1, channels == 1 ? 1 : 2) + entry(273, 4, 1, pixels_at) +
      entry(274, 3, 1, static_cast<std::uint32_t>(orientation)) + entry(277, 3, 1, channels) +
      entry(278, 3, 1, static_cast<std::uint32_t>(image.rows)) +
      entry(279, 4, 1, static_cast<std::uint32_t>(pixels.size())) + entry(284, 3, 1, 1) +
      number(0, 4, false);
  return "II" + number(42, 2, false) + number(8, 4, false) + directory + number(8, 2, false) +
         number(8, 2, false) + number(8, 2, false) + pixels;
}

struct TurnedFormat {
  const char* name;
  WriteTurned write;
};

std::vector<TurnedFormat> turnedFormats() {
  return {
      {"a.jpg", jpegWith},
      {"a.png", pngWith},
      {"end.png", pngWithAtEnd},
      {"lossless.webp",
       [](const cv::Mat& image, int turn) { return webp(image, turn, true, false); }},
      {"lossy.webp", [](const cv::Mat& image, int turn) { return webp(image, turn, false, true); }},
      {"a.tif", tiffWith},
      {"grey.tif", [](const cv::Mat& image, int turn) {
         cv::Mat grey;
         cv::extractChannel(image, grey, 0);
         return tiffWith(grey, turn);
       }}};
}

/// The brightness in the middle of the corners: top left, top right, bottom left, bottom right.
std::array<int, 4> cornersOf(const Image8& image) {
  const auto at = [&image](std::int64_t vertical, std::int64_t horizontal) {
    const std::int64_t row = image.height() * vertical / 4;
    const std::int64_t column = image.width() * horizontal / 4;
    return int{image.pixels.row(row)[static_cast<std::size_t>(column * image.channels())]};
  };
  return {at(1, 1), at(1, 3), at(3, 1), at(3, 3)};
}

TEST(ImageFormats, EveryFormatIsTurnedAsItsExifSays) {
  const test::TempDir dir;
  const cv::Mat upright = fourCorners();
  for (const auto& [name, write] : turnedFormats()) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const std::string path = dir.file(name);
      test::writeBytes(path, write(storedAs(upright, orientation), orientation));
      const auto read = readImageFile(path);
      ASSERT_OK(read);
      const auto shown = readReducedImageFile(path, 1'000);
      ASSERT_OK(shown);
      for (const Image8* const image : {&*read, &shown->image}) {
        ASSERT_EQ(image->height(), 32) << name << orientation;
        ASSERT_EQ(image->width(), 48) << name << orientation;
        const auto corners = cornersOf(*image);
        for (std::size_t i = 0; i < corners.size(); ++i) {
          EXPECT_NEAR(corners[i], (std::array{255, 170, 85, 0})[i], 6)
              << name << " " << orientation << " " << i;
        }
      }
    }
  }
}

TEST(ImageFormats, ThumbnailsOfTurnedJpegsAreTurnedToo) {
  const test::TempDir dir;
  cv::Mat image(320, 480, CV_8UC3, cv::Scalar(0, 0, 0));
  image(cv::Rect(0, 0, 240, 160)).setTo(cv::Scalar(255, 255, 255));
  test::writeBytes(dir.file("a.jpg"), jpegWith(storedAs(image, 6), 6));
  const auto shown = readReducedImageFile(dir.file("a.jpg"), 60);
  ASSERT_OK(shown);
  EXPECT_FALSE(shown->whole);
  EXPECT_EQ(shown->image.width(), 60);
  EXPECT_EQ(shown->image.height(), 40);
  EXPECT_NEAR(cornersOf(shown->image)[0], 255, 6);
  EXPECT_NEAR(cornersOf(shown->image)[3], 0, 6);
}

TEST(ImageFormats, WhatTheExifDoesNotSayIsNotTurned) {
  const cv::Mat image = fourCorners();
  for (const int orientation : {0, 9, 255}) {
    EXPECT_EQ(exifOrientationTag(bytesOf(pngWith(image, orientation))), 1) << orientation;
  }
  EXPECT_EQ(exifOrientationTag(bytesOf(encoded(".jpg", image))), 1);
  // Blocks that end early or lead outside.
  const std::string whole = pngWith(image, 6);
  EXPECT_EQ(exifOrientationTag(bytesOf(whole)), 6);
  const std::string block = exifBlock(6, true);
  for (std::size_t left = 0; left < block.size() - 6; ++left) {
    const std::string png = encoded(".png", image);
    const std::string cut =
        png.substr(0, 33) + pngChunk("eXIf", block.substr(0, left)) + png.substr(33);
    EXPECT_LE(exifOrientationTag(bytesOf(cut)), 6) << left;
    EXPECT_GE(exifOrientationTag(bytesOf(cut)), 1) << left;
  }
  for (std::size_t left = 0; left < whole.size(); left += 7) {
    static_cast<void>(exifOrientationTag(bytesOf(whole.substr(0, left))));
  }
}

TEST(ImageFormats, TheSharedFilesShowTheSame) {
  DUBITO_NEEDS_SHARED();
  const auto folder = *test::sharedDir() / "cases/data/webp-orientation/cat";
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << folder << " is missing";
  }
  const auto first = readImageFile((folder / "o1.png").string());
  ASSERT_OK(first);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto read = readImageFile(entry.path().string());
    ASSERT_OK(read);
    ASSERT_EQ(read->pixels.shape(), first->pixels.shape()) << entry.path();
    double difference = 0.0;
    for (std::size_t i = 0; i < read->pixels.values().size(); ++i) {
      difference += std::abs(int{read->pixels.values()[i]} - int{first->pixels.values()[i]});
    }
    EXPECT_LT(difference / static_cast<double>(read->pixels.size()), 1.0) << entry.path();
  }
}

TEST(ImageFormats, TheContentsDecideNotTheName) {
  const test::TempDir dir;
  const cv::Mat image = test::plain(64, 64, 10, 20, 30);
  const std::vector<int> lossless{cv::IMWRITE_WEBP_QUALITY, 101};
  const std::vector<std::pair<std::string, ImageFormat>> files{
      {encoded(".png", image), ImageFormat::kPng},
      {encoded(".bmp", image), ImageFormat::kBmp},
      {encoded(".tiff", image), ImageFormat::kTiff},
      {encoded(".webp", image, lossless), ImageFormat::kWebp},
      {encoded(".ppm", image), ImageFormat::kNetpbm},
      {encoded(".jp2", image, {cv::IMWRITE_JPEG2000_COMPRESSION_X1000, 1000}),
       ImageFormat::kJpeg2000},
      {encoded(".ras", image), ImageFormat::kSunRaster}};
  for (const auto& [bytes, format] : files) {
    EXPECT_EQ(imageFormat(bytesOf(bytes)), format);
    EXPECT_EQ(imageDefect(bytesOf(bytes)), "") << static_cast<int>(format);
    for (const char* const name : {"image", "image.jpg", "image.txt", "image.TIF"}) {
      test::writeBytes(dir.file(name), bytes);
      const auto read = readImageFile(dir.file(name));
      ASSERT_OK(read);
      const std::vector<int> first = pixelsOf(*read);
      EXPECT_EQ(std::vector<int>(first.begin(), first.begin() + 3), (std::vector<int>{10, 20, 30}))
          << name << static_cast<int>(format);
    }
    // Half a file is refused in every format.
    const std::string cut = bytes.substr(0, bytes.size() / 2);
    EXPECT_NE(imageDefect(bytesOf(cut)), "") << static_cast<int>(format);
  }
}

TEST(ImageFormats, OthersAreNamed) {
  const test::TempDir dir;
  const std::string dicom = std::string(128, '\0') + "DICM";
  const std::string avif = std::string("\0\0\0\x20", 4) + "ftypavif";
  for (const auto& [start, name] : std::vector<std::pair<std::string, std::string>>{
           {"GIF89a", "GIF"}, {avif, "AVIF"}, {dicom, "DICOM"}, {"8BPS", "Photoshop"}}) {
    test::writeBytes(dir.file("a.jpg"), start + std::string(100, 'x'));
    const auto read = readImageFile(dir.file("a.jpg"));
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message,
                HasSubstr("it is a file of the format " + name + ", which cannot be decoded"));
  }
  for (const std::string text : {"BMW and other makes", "P1 is the first", "P5", "II. Chapter",
                                 "RIFF of the band", "#?x", ""}) {
    EXPECT_FALSE(imageFormat(bytesOf(text))) << text;
    EXPECT_EQ(undecodedFormat(bytesOf(text)), "") << text;
  }
}

TEST(ImageFormats, NetpbmIsScaledToItsOwnWhite) {
  const test::TempDir dir;
  const auto pixelsOfFile = [&dir](const std::string& bytes) {
    test::writeBytes(dir.file("a"), bytes);
    const auto read = readImageFile(dir.file("a"));
    EXPECT_OK(read);
    return read ? pixelsOf(*read) : std::vector<int>();
  };
  const std::vector<int> black_middle_white{0, 119, 255};
  EXPECT_EQ(pixelsOfFile(std::string("P5\n3 1\n15\n\0\x07\x0F", 13)), black_middle_white);
  EXPECT_EQ(pixelsOfFile("P2\n3 1 # a comment\n15\n0 7 15\n"), black_middle_white);
  const std::vector<int> twelve_bits{0, 127, 255};
  EXPECT_EQ(pixelsOfFile(std::string("P5 3 1 4095\n\0\0\x07\xFF\x0F\xFF", 18)), twelve_bits);
  EXPECT_EQ(pixelsOfFile("P2 3 1 4095\n0 2047 4095\n"), twelve_bits);
  EXPECT_EQ(pixelsOfFile(std::string("P6\n1 1\n15\n\0\x07\x0F", 13)), black_middle_white);
  EXPECT_EQ(pixelsOfFile(std::string("P5 1 1 65535\n\x80\x80", 15)), std::vector<int>{128});
  EXPECT_EQ(pixelsOfFile("P1\n3 1\n010\n"), (std::vector<int>{255, 0, 255}));
  EXPECT_EQ(pixelsOfFile("P7\nWIDTH 3\nHEIGHT 1\nDEPTH 1\nMAXVAL 15\n"
                         "TUPLTYPE GRAYSCALE\nENDHDR\n" +
                         std::string("\0\x07\x0F", 3)),
            black_middle_white);
  for (const std::string cut : {"P5\n3 1\n255\nab", "P6\n1 1\n255\nab", "P2 3 1 255\n0 7"}) {
    EXPECT_EQ(imageDefect(bytesOf(cut)), "it is truncated") << cut;
  }
  EXPECT_THAT(imageDefect(bytesOf("P5\n60000 60000\n255\nabc")), HasSubstr("more than the limit"));
  EXPECT_THAT(imageDefect(bytesOf("P5\n9000 9000\n255\nabc")), HasSubstr("cannot contain"));
}

/// A PNG of 2 x 1 pixels of this colour type, with the rows as given.
std::string handmadePng(int depth, int colour_type, const std::string& row,
                        const std::string& palette = {}) {
  std::string header = number(2, 4, true) + number(1, 4, true);
  header += static_cast<char>(depth);
  header += static_cast<char>(colour_type);
  header += std::string(3, '\0');
  const std::string raw = std::string(1, '\0') + row;
  std::string packed(100, '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(raw.data()), raw.size());
  packed.resize(size);
  return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", header) +
         (palette.empty() ? "" : pngChunk("PLTE", palette)) + pngChunk("IDAT", packed) +
         pngChunk("IEND", "");
}

TEST(ImageFormats, KindsOfPng) {
  const test::TempDir dir;
  const auto pixels = [&dir](const std::string& bytes) {
    test::writeBytes(dir.file("a.png"), bytes);
    const auto read = readImageFile(dir.file("a.png"));
    EXPECT_OK(read);
    return read ? pixelsOf(*read) : std::vector<int>();
  };
  const std::string palette("\x0A\x14\x1E\xFF\x00\x01", 6);
  EXPECT_EQ(pixels(handmadePng(8, 3, std::string("\1\0", 2), palette)),
            (std::vector<int>{255, 0, 1, 10, 20, 30}));
  EXPECT_EQ(pixels(handmadePng(8, 4, "\x4D\x80\x4E\x01")),
            (std::vector<int>{77, 77, 77, 78, 78, 78}));
  EXPECT_EQ(pixels(handmadePng(16, 0, "\x40\x40\xFF\xFF")), (std::vector<int>{64, 255}));
  EXPECT_EQ(pixels(handmadePng(1, 0, "\x40")), (std::vector<int>{0, 255}));
}

}  // namespace
}  // namespace dubito
