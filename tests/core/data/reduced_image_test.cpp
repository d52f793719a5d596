// SPDX-License-Identifier: GPL-3.0-or-later
// Images that are decoded at a reduced size, compared with the whole ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "core/data/items/item_files.h"
#include "core/data/pixels/image_file.h"
#include "core/data/sources/dataset_view.h"
#include "core/data/sources/folder_dataset.h"
#include "core/data/sources/relabelled_dataset.h"
#include "tests/core/data/image_files.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::encoded;

/// Shapes of all sizes, no two quarters alike.
cv::Mat scene(int width, int height) {
  cv::Mat image(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double u = static_cast<double>(x) / width;
      const double v = static_cast<double>(y) / height;
      image.at<cv::Vec3b>(y, x) = {
          cv::saturate_cast<std::uint8_t>(255 * u * v),
          cv::saturate_cast<std::uint8_t>(127 + 100 * std::sin(25 * u + 9 * v * v)),
          cv::saturate_cast<std::uint8_t>(x < width / 2 && y < height / 3 ? 220 : 30)};
    }
  }
  return image;
}

/// Mean over the pixels of `whole` that each pixel of an image of this size covers; at the right
/// and at the bottom, fewer may be left.
std::vector<double> areaMeans(const Image8& whole, std::int64_t width, std::int64_t height) {
  std::vector<double> means;
  const auto edge = [](std::int64_t i, std::int64_t count, std::int64_t of) {
    return std::min(of, i * ((of + count - 1) / count));
  };
  const std::int64_t channels = whole.channels();
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t c = 0; c < channels; ++c) {
        double sum = 0.0;
        std::int64_t count = 0;
        for (auto yy = edge(y, height, whole.height()); yy < edge(y + 1, height, whole.height());
             ++yy) {
          for (auto xx = edge(x, width, whole.width()); xx < edge(x + 1, width, whole.width());
               ++xx) {
            sum += whole.pixels.row(yy)[static_cast<std::size_t>(xx * channels + c)];
            ++count;
          }
        }
        means.push_back(sum / static_cast<double>(count));
      }
    }
  }
  return means;
}

/// The decoder keeps the low frequencies of each block of 8 x 8 pixels, which is close to a mean
/// but for edges inside a block: few pixels differ by much, and the mean hardly.
void expectTheSame(const Image8& reduced, const Image8& whole, const std::string& what) {
  const std::vector<double> expected = areaMeans(whole, reduced.width(), reduced.height());
  ASSERT_EQ(reduced.channels(), whole.channels()) << what;
  ASSERT_EQ(reduced.pixels.values().size(), expected.size()) << what;
  double sum = 0.0;
  std::size_t far = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(reduced.pixels.values()[i] - expected[i]);
    sum += difference;
    far += difference > 24 ? 1 : 0;
  }
  EXPECT_LT(sum / static_cast<double>(expected.size()), 2.0) << what;
  EXPECT_LT(far, expected.size() / 50) << what;
}

TEST(ReducedImage, ShowsTheSameAtAHalfAQuarterAndAnEighth) {
  const test::TempDir dir;
  struct Size {
    std::int64_t min_side, width, height;
  };
  for (const bool progressive : {false, true}) {
    test::writeBytes(dir.file("a.jpg"), encoded(".jpg", scene(1001, 702),
                                                {cv::IMWRITE_JPEG_QUALITY, 95,
                                                 cv::IMWRITE_JPEG_PROGRESSIVE, progressive}));
    const auto whole = readImageFile(dir.file("a.jpg"));
    ASSERT_OK(whole);
    for (const Size& size : std::vector<Size>{{501, 501, 351},
                                              {252, 501, 351},
                                              {251, 251, 176},
                                              {127, 251, 176},
                                              {126, 126, 88},
                                              {1, 126, 88}}) {
      const std::string what = std::to_string(size.min_side);
      const auto reduced = readReducedImageFile(dir.file("a.jpg"), size.min_side);
      ASSERT_OK(reduced);
      EXPECT_FALSE(reduced->whole) << what;
      ASSERT_EQ(reduced->image.width(), size.width) << what;
      ASSERT_EQ(reduced->image.height(), size.height) << what;
      expectTheSame(reduced->image, *whole, what);
    }
    const auto all = readReducedImageFile(dir.file("a.jpg"), 502);
    ASSERT_OK(all);
    EXPECT_TRUE(all->whole);
    EXPECT_EQ(test::pixelsOf(all->image), test::pixelsOf(*whole));
  }
}

TEST(ReducedImage, TheOrientationThatTheCameraNotedIsApplied) {
  const test::TempDir dir;
  const std::string jpeg = encoded(".jpg", scene(320, 192), {cv::IMWRITE_JPEG_QUALITY, 95});
  for (int orientation = 1; orientation <= 8; ++orientation) {
    test::writeBytes(dir.file("turned.jpg"),
                     jpeg.substr(0, 2) + test::exifSegment(orientation) + jpeg.substr(2));
    const auto whole = readImageFile(dir.file("turned.jpg"));
    const auto reduced = readReducedImageFile(dir.file("turned.jpg"), 80);
    ASSERT_OK(whole);
    ASSERT_OK(reduced);
    const bool turned = orientation >= 5;
    ASSERT_EQ(reduced->image.width(), turned ? 48 : 80) << orientation;
    ASSERT_EQ(reduced->image.height(), turned ? 80 : 48) << orientation;
    expectTheSame(reduced->image, *whole, std::to_string(orientation));
  }
}

TEST(ReducedImage, GreyStaysOneChannelAndOtherFormatsStayWhole) {
  const test::TempDir dir;
  test::writeBytes(dir.file("grey.jpg"),
                   encoded(".jpg", cv::Mat(160, 240, CV_8UC1, cv::Scalar(77))));
  const auto grey = readReducedImageFile(dir.file("grey.jpg"), 30);
  ASSERT_OK(grey);
  EXPECT_EQ(grey->image.pixels.shape(), (std::vector<std::int64_t>{20, 30, 1}));
  EXPECT_EQ(grey->image.pixels.values()[100], 77);
  for (const std::string ending : {".png", ".bmp", ".tiff", ".webp"}) {
    test::writeBytes(dir.file("a" + ending), encoded(ending, scene(64, 48)));
    const auto read = readReducedImageFile(dir.file("a" + ending), 8);
    ASSERT_OK(read);
    EXPECT_TRUE(read->whole) << ending;
    EXPECT_EQ(test::pixelsOf(read->image), test::pixelsOf(*readImageFile(dir.file("a" + ending))));
  }
}

TEST(ReducedImage, FilesThatEndEarlyAreRefused) {
  const test::TempDir dir;
  const std::string jpeg = encoded(".jpg", scene(320, 192));
  for (const std::size_t left : {jpeg.size() - 2, jpeg.size() / 2, std::size_t{3}}) {
    test::writeBytes(dir.file("cut.jpg"), jpeg.substr(0, left));
    const auto read = readReducedImageFile(dir.file("cut.jpg"), 40);
    ASSERT_FALSE(read.has_value()) << left;
    EXPECT_THAT(read.error().message, HasSubstr("is truncated"));
  }
  EXPECT_FALSE(readReducedImageFile(dir.file("missing.jpg"), 40).has_value());
}

TEST(ReducedImage, ViewsAndRelabelledDatasetsPassItOn) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.jpg"), encoded(".jpg", scene(64, 48)));
  test::writeBytes(dir.file("b.jpg"), encoded(".jpg", scene(320, 192)));
  const DatasetPtr folder = std::make_shared<const FolderDataset>(
      DatasetInfo{}, dir.path().string(), std::vector<std::string>{"a.jpg", "b.jpg"},
      std::vector<std::int64_t>{0, 1}, std::vector<std::int64_t>{10, 11});
  const DatasetPtr view = std::make_shared<const DatasetView>(
      std::make_shared<const RelabelledDataset>(folder, std::vector<std::int64_t>{1, 0},
                                                DatasetInfo{}),
      std::vector<std::int64_t>{1}, DatasetInfo{});
  const auto read = readReduced(*view, 0, 40);
  ASSERT_OK(read);
  EXPECT_FALSE(read->whole);
  EXPECT_EQ(std::get<Image8>(read->sample).width(), 40);
}

}  // namespace
}  // namespace dubito
