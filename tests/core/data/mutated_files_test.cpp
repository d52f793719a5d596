// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <functional>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "core/data/dataset.h"
#include "core/data/image_file.h"
#include "tests/core/data/image_files.h"
#include "tests/core/io/mutate.h"

namespace dubito {
namespace {

constexpr std::uint32_t kMutations = 250;

/// The most memory that this process ever held, in MB.
std::int64_t peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// Reads damaged copies of a good file. Each is read, or refused in one line that names it, within
/// a second and without much memory. `read` returns the error, or nothing.
void expectRobust(const std::string& good, const std::string& name,
                  const std::function<std::string(const std::string& path)>& read) {
  const test::TempDir dir;
  const std::string path = dir.file(name);
  test::writeBytes(path, good);
  ASSERT_EQ(read(path), "") << "the file is good before it is damaged";
  const std::int64_t before = peakMegabytes();
  int refused = 0;
  for (std::uint32_t seed = 0; seed < kMutations; ++seed) {
    test::writeBytes(path, test::mutate(good, seed));
    const auto start = std::chrono::steady_clock::now();
    const std::string error = read(path);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1)) << seed;
    if (!error.empty()) {
      ++refused;
      EXPECT_NE(error.find(dir.path().string()), std::string::npos) << seed << ": " << error;
      EXPECT_EQ(error.find('\n'), std::string::npos) << seed << ": " << error;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(peakMegabytes() - before, 200);
}

/// The error of opening a dataset and reading its first item, which may be broken by itself.
std::string openAndRead(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset(spec, context);
  if (!dataset) {
    return dataset.error().message;
  }
  EXPECT_EQ((*dataset)->ids().size(), (*dataset)->labels().size());
  const auto sample = (*dataset)->read(0);
  return sample ? std::string() : sample.error().message;
}

class MutatedImages : public testing::TestWithParam<const char*> {};

TEST_P(MutatedImages, areReadOrRefused) {
  cv::Mat image(48, 40, CV_8UC3);
  cv::theRNG().state = 5;
  cv::randu(image, 0, 256);
  const std::string good = test::encoded(GetParam(), image);
  expectRobust(good, std::string("image") + GetParam(), [](const std::string& path) {
    const auto read = readImageFile(path);
    return read ? std::string() : read.error().message;
  });
}

INSTANTIATE_TEST_SUITE_P(Formats, MutatedImages,
                         testing::Values(".png", ".jpg", ".bmp", ".tiff", ".webp"),
                         [](const auto& format) { return std::string(format.param).substr(1); });

TEST(MutatedFiles, cifarBatchesAreReadOrRefused) {
  expectRobust(std::string(2 * 3073, '\3'), "batch.bin",
               [](const std::string& path) { return openAndRead("cifar10:" + path); });
}

TEST(MutatedFiles, manifestsAreReadOrRefused) {
  const test::TempDir images;
  test::writeBytes(images.file("a.png"), test::encoded(".png", test::plain(2, 2, 1, 2, 3)));
  std::string table = "path,label,camera,temperature\n" + images.file("a.png") + ",cat,north,1.5\n";
  for (int row = 0; row < 30; ++row) {
    table += "gone" + std::to_string(row) + ".png,\"dog, big\",south,-2e3\n";
  }
  expectRobust(table, "list.csv", [&](const std::string& path) {
    const std::string error = openAndRead("csv:" + path);
    // A damaged path names an image that is not there, which is an error of its own.
    return error.find("list.csv") == std::string::npos && !error.empty() ? path + error : error;
  });
}

}  // namespace
}  // namespace dubito
