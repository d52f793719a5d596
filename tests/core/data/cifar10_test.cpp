// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/data/items/dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::writeBytes;

constexpr std::size_t kPlane = 1024;

/// A record whose planes begin with red, green and blue and are 0 otherwise, but for the last
/// pixel.
std::string record(int label, int red, int green, int blue) {
  std::string bytes(1 + 3 * kPlane, '\0');
  bytes[0] = static_cast<char>(label);
  for (const auto& [channel, value] :
       {std::pair{std::size_t{0}, red}, {std::size_t{1}, green}, {std::size_t{2}, blue}}) {
    bytes[1 + channel * kPlane] = static_cast<char>(value);
    bytes[(channel + 1) * kPlane] = static_cast<char>(value + 1);
  }
  return bytes;
}

Expected<DatasetPtr> open(const std::string& spec) {
  RunContext context;
  return openDataset(spec, context);
}

void expectMalformed(const std::string& path, const std::string& words) {
  const auto dataset = open("cifar10:" + path);
  ASSERT_FALSE(dataset) << path;
  EXPECT_EQ(dataset.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(dataset.error().message, HasSubstr(path));
  EXPECT_THAT(dataset.error().message, HasSubstr(words));
}

TEST(Cifar10, RowsCountAcrossTheFilesAndPlanesBecomePixels) {
  const test::TempDir dir;
  const std::string first = dir.file("a,b.bin");  // a comma belongs to the name
  const std::string second = dir.file("c.bin");
  writeBytes(first, record(3, 10, 20, 30) + record(9, 40, 50, 60));
  writeBytes(second, record(0, 70, 80, 90));
  const auto dataset = open("cifar10:" + first + "," + second);
  ASSERT_OK(dataset);
  ASSERT_EQ((*dataset)->size(), 3);
  EXPECT_EQ((*dataset)->ids()[2], 2);
  EXPECT_EQ((*dataset)->itemName(2), "#2");
  EXPECT_EQ(std::vector<std::int64_t>((*dataset)->labels().begin(), (*dataset)->labels().end()),
            (std::vector<std::int64_t>{3, 9, 0}));
  for (std::int64_t item = 0; item < 3; ++item) {
    const auto sample = (*dataset)->read(item);
    ASSERT_OK(sample);
    const Image8& image = std::get<Image8>(*sample);
    ASSERT_EQ(image.pixels.shape(), (std::vector<std::int64_t>{32, 32, 3}));
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const int value = static_cast<int>(10 + 30 * item) + 10 * static_cast<int>(channel);
      EXPECT_EQ(image.pixels.values()[channel], value);
      EXPECT_EQ(image.pixels.values()[3 + channel], 0);
      EXPECT_EQ(image.pixels.values()[3 * 1023 + channel], value + 1);
    }
  }
  EXPECT_TRUE((*dataset)->info().class_names.empty());
  EXPECT_EQ((*dataset)->info().notes.size(), 1U);
}

TEST(Cifar10, TakesTheClassNamesBesideTheBatch) {
  const test::TempDir dir;
  const std::string path = dir.file("data_batch_1.bin");
  writeBytes(path, record(1, 1, 2, 3));
  writeBytes(dir.file("batches.meta.txt"), "airplane\r\nautomobile\n\n");
  const auto dataset = open(path);  // guessed from name and size
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->info().spec, "cifar10:" + path);
  EXPECT_EQ((*dataset)->info().class_names, (std::vector<std::string>{"airplane", "automobile"}));
  EXPECT_TRUE((*dataset)->info().notes.empty());
  EXPECT_TRUE(open("cifar10:" + path + "?classes=automobile"));
  writeBytes(path, record(2, 1, 2, 3));
  expectMalformed(path, "names 2 classes, but the label 2 occurs");
}

TEST(Cifar10, ThePythonVersionIsNamed) {
  const test::TempDir dir;
  writeBytes(dir.path() / "data_batch_1", "\x80\x02}q\x01(" + std::string(5000, 'x'));
  const auto dataset = open("cifar10:" + dir.file("data_batch_1"));
  ASSERT_FALSE(dataset);
  EXPECT_THAT(dataset.error().message, HasSubstr("Python version of CIFAR-10"));
  EXPECT_THAT(dataset.error().message, HasSubstr("cifar-10-binary.tar.gz"));
}

TEST(Cifar10, WrongFilesAreRefused) {
  const test::TempDir dir;
  const std::string path = dir.file("x.bin");
  for (const std::string& bytes :
       {std::string(), std::string(3072, '\0'), record(0, 1, 2, 3).substr(0, 3000),
        record(0, 1, 2, 3) + "x" + record(1, 1, 2, 3)}) {
    writeBytes(path, bytes);
    expectMalformed(
        path, std::to_string(bytes.size()) + " bytes are not a multiple of the record size 3073");
  }
  writeBytes(path, std::string(2 * 3074, '\0'));
  expectMalformed(path, "CIFAR-100");
  writeBytes(path, record(0, 1, 2, 3) + record(10, 1, 2, 3));
  expectMalformed(path, "record 1 has the label 10");
  writeBytes(path, record(0, 1, 2, 3));
  const auto missing = open("cifar10:" + path + "," + dir.file("gone.bin"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr(dir.file("gone.bin")));
}

TEST(Cifar10, AFileThatIsShortenedIsAnErrorOfTheItem) {
  const test::TempDir dir;
  const std::string path = dir.file("x.bin");
  writeBytes(path, record(0, 1, 2, 3) + record(1, 1, 2, 3));
  const auto dataset = open("cifar10:" + path);
  ASSERT_TRUE(dataset);
  writeBytes(path, record(0, 1, 2, 3));
  const auto sample = (*dataset)->read(1);
  ASSERT_FALSE(sample);
  EXPECT_EQ(sample.error().code, ErrorCode::kReadFailed);
  EXPECT_THAT(sample.error().message, HasSubstr(path));
}

TEST(Cifar10, TheOfficialTestBatch) {
  DUBITO_NEEDS_SHARED();
  const auto path = *test::sharedDir() / "datasets/cifar-10/test_batch_first1000.bin";
  const auto dataset = open(path.string());
  ASSERT_OK(dataset);
  ASSERT_EQ((*dataset)->size(), 1000);
  EXPECT_EQ((*dataset)->info().name, "cifar-10 test_batch_first1000");
  // The first test images are known to be a cat, two ships, an airplane and a frog.
  const std::vector<std::string>& names = (*dataset)->info().class_names;
  ASSERT_EQ(names.size(), 10U);
  std::vector<std::string> first;
  for (const std::int64_t label : (*dataset)->labels().first(5)) {
    first.push_back(names[static_cast<std::size_t>(label)]);
  }
  EXPECT_EQ(first, (std::vector<std::string>{"cat", "ship", "ship", "airplane", "frog"}));
  const auto cat = (*dataset)->read(0);
  ASSERT_TRUE(cat);
  // Its first pixel is (158, 112, 49) in every published copy.
  const auto pixels = std::get<Image8>(*cat).pixels.values();
  EXPECT_EQ(pixels[0], 158);
  EXPECT_EQ(pixels[1], 112);
  EXPECT_EQ(pixels[2], 49);
}

}  // namespace
}  // namespace dubito
