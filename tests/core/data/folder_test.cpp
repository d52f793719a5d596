// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "core/data/dataset.h"
#include "core/data/folder_scan.h"
#include "core/data/image_bytes.h"
#include "core/data/image_file.h"
#include "core/data/preprocessing.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// The bytes of an image file.
std::string encoded(const std::string& ending, const cv::Mat& image) {
  std::vector<unsigned char> bytes;
  EXPECT_TRUE(cv::imencode(ending, image, bytes));
  return {bytes.begin(), bytes.end()};
}

cv::Mat plain(int height, int width, int red, int green, int blue) {
  return {height, width, CV_8UC3, cv::Scalar(blue, green, red)};
}

void write(const test::TempDir& dir, const std::string& path, const std::string& bytes) {
  fs::create_directories((dir.path() / path).parent_path());
  test::writeBytes(dir.path() / path, bytes);
}

Expected<DatasetPtr> open(const test::TempDir& dir, const std::string& options = {}) {
  RunContext context;
  return openDataset("folder:" + dir.path().string() + options, context);
}

std::vector<std::string> namesOf(const Dataset& dataset) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    names.push_back(dataset.itemName(i));
  }
  return names;
}

std::vector<int> pixelsOf(const Image8& image) {
  return {image.pixels.values().begin(), image.pixels.values().end()};
}

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

TEST(Folder, aClassASubfolderInTheOrderOfTheirNames) {
  const test::TempDir dir;
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  for (const char* const path : {"b/2.png", "a/1.PNG", "b/10.jpeg", "a/deep/x.png", "Z/1.jpg"}) {
    write(dir, path, png);
  }
  write(dir, "a/notes.txt", "x");
  write(dir, "a/.hidden.png", png);
  write(dir, ".git/x.png", png);
  write(dir, "stray.png", png);
  fs::create_directories(dir.path() / "empty");
  const auto dataset = open(dir);
  ASSERT_TRUE(dataset) << dataset.error().message;
  EXPECT_EQ(namesOf(**dataset), (std::vector<std::string>{"Z/1.jpg", "a/1.PNG", "a/deep/x.png",
                                                          "b/10.jpeg", "b/2.png"}));
  EXPECT_EQ((*dataset)->info().class_names, (std::vector<std::string>{"Z", "a", "b", "empty"}));
  EXPECT_EQ(std::vector<std::int64_t>((*dataset)->labels().begin(), (*dataset)->labels().end()),
            (std::vector<std::int64_t>{0, 1, 1, 2, 2}));
  EXPECT_EQ((*dataset)->info().name, dir.path().filename().string());
  EXPECT_EQ((*dataset)->info().notes,
            (std::vector<std::string>{"1 images beside the class folders were ignored",
                                      "1 of 4 class folders hold no image",
                                      "1 file that is not an image was ignored"}));
  const auto only_b = open(dir, "?classes=b");
  ASSERT_TRUE(only_b);
  EXPECT_EQ((*only_b)->ids()[1], (*dataset)->ids()[4]);
}

TEST(Folder, idsComeFromRelativePathsAndNothingElse) {
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  std::map<std::string, std::int64_t> ids[2];
  for (const bool more : {false, true}) {
    const test::TempDir dir;
    write(dir, "x/1.png", png);
    write(dir, "x/2.png", png);
    if (more) {
      write(dir, "a/0.png", png);
    }
    const auto dataset = open(dir);
    ASSERT_TRUE(dataset);
    for (std::int64_t i = 0; i < (*dataset)->size(); ++i) {
      ids[more][(*dataset)->itemName(i)] = (*dataset)->ids()[static_cast<std::size_t>(i)];
      EXPECT_GE((*dataset)->ids()[static_cast<std::size_t>(i)], 0);
    }
  }
  EXPECT_EQ(ids[0].at("x/1.png"), ids[1].at("x/1.png"));
  EXPECT_EQ(ids[0].at("x/2.png"), ids[1].at("x/2.png"));
  EXPECT_NE(ids[0].at("x/1.png"), ids[0].at("x/2.png"));
  // FNV-1a's published value for "foobar" is 85944171f73967e8.
  EXPECT_EQ(pathId("foobar"), 0x05944171f73967e8);
}

TEST(Folder, flatFoldersAndLabelsFromNames) {
  const test::TempDir dir;
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  for (const char* const path : {"B1.png", "A1.png", "\xC3\x84x.png", "B22.png"}) {
    write(dir, path, png);
  }
  const auto flat = open(dir);
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ((*flat)->labels()[0], -1);
  EXPECT_TRUE((*flat)->info().class_names.empty());
  EXPECT_EQ((*flat)->info().notes.size(), 1U);
  const auto letters = open(dir, "?labels=prefix:1");
  ASSERT_TRUE(letters) << letters.error().message;
  EXPECT_EQ((*letters)->info().class_names, (std::vector<std::string>{"A", "B", "\xC3\x84"}));
  EXPECT_EQ(std::vector<std::int64_t>((*letters)->labels().begin(), (*letters)->labels().end()),
            (std::vector<std::int64_t>{0, 1, 1, 2}));
  for (const char* const wrong : {"first", "prefix:", "prefix:0", "prefix:x", "prefix:1x"}) {
    const auto refused = open(dir, std::string("?labels=") + wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_NE(refused.error().message.find("labels=prefix:N"), std::string::npos);
  }
}

TEST(Folder, brokenFilesAreErrorsOfTheirItemsAlone) {
  const test::TempDir dir;
  const std::string jpeg = encoded(".jpg", plain(16, 16, 9, 9, 9));
  write(dir, "1.jpg", jpeg);
  write(dir, "2.jpg", jpeg.substr(0, jpeg.size() / 2));
  write(dir, "3.jpg", "no image");
  write(dir, "4.jpg", jpeg);
  write(dir, "5.jpg", "");
  const auto dataset = open(dir);
  ASSERT_TRUE(dataset) << dataset.error().message;
  EXPECT_EQ((*dataset)->size(), 5);
  std::vector<std::int64_t> indices(5);
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  RunContext context;
  context.threads = 2;
  const auto batch = loadBatch(**dataset, indices, Preprocessing(), context);
  ASSERT_TRUE(batch) << batch.error().message;
  EXPECT_EQ(batch->indices, (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(batch->unreadable, (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_NE(batch->unreadable_reasons[0].find("2.jpg"), std::string::npos);
  EXPECT_EQ(batch->inputs.shape(), (std::vector<std::int64_t>{2, 3, 16, 16}));
}

TEST(Folder, emptyAndMissingFoldersAreErrors) {
  const test::TempDir dir;
  const auto empty = open(dir);
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message.find("holds no image (0 other files)"), std::string::npos);
  write(dir, "a.txt", "x");
  EXPECT_NE(open(dir).error().message.find("1 other files"), std::string::npos);
  RunContext context;
  EXPECT_EQ(openDataset("folder:/no/where", context).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(openDataset("folder:" + dir.file("a.txt"), context).error().code,
            ErrorCode::kInvalidArgument);
}

TEST(Folder, theHandPhotographs) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  const auto dataset = openDataset(
      (*test::sharedDir() / "datasets/photos/asl").string() + "?labels=prefix:1", context);
  ASSERT_TRUE(dataset) << dataset.error().message;
  ASSERT_EQ((*dataset)->size(), 26);
  EXPECT_EQ((*dataset)->info().name, "asl");
  EXPECT_EQ((*dataset)->itemName(25), "Z1.jpg");
  EXPECT_EQ((*dataset)->labels()[25], 25);
  EXPECT_EQ((*dataset)->info().class_names[25], "Z");
  for (std::int64_t i = 0; i < 26; ++i) {
    const auto sample = (*dataset)->read(i);
    ASSERT_TRUE(sample) << sample.error().message;
    EXPECT_EQ(std::get<Image8>(*sample).pixels.shape(), (std::vector<std::int64_t>{200, 200, 3}));
  }
}

}  // namespace
}  // namespace dubito
