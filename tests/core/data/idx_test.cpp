// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include "core/data/items/dataset.h"
#include "core/data/sources/idx_file.h"
#include "tests/core/data/files.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::countingBytes;
using test::gzipped;
using test::idxBytes;
using test::writeBytes;

const std::string kImages = idxBytes({3, 2, 2}, countingBytes(12));
const std::string kLabels = idxBytes({3}, std::string("\x07\x00\xff", 3));

std::string text(const Array<std::uint8_t>& bytes) {
  return {bytes.values().begin(), bytes.values().end()};
}

/// The error of opening `spec`; fails where it opens.
Error errorOf(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset(spec, context);
  EXPECT_FALSE(dataset) << spec;
  return dataset ? Error{} : dataset.error();
}

void expectError(const std::string& spec, ErrorCode code, const std::string& file,
                 const std::string& reason) {
  const Error error = errorOf(spec);
  EXPECT_EQ(error.code, code) << error.message;
  EXPECT_THAT(error.message, HasSubstr(file));
  EXPECT_THAT(error.message, HasSubstr(reason));
}

TEST(Idx, ReadsRawAndCompressedFilesAlike) {
  const test::TempDir dir;
  RunContext context;
  for (const bool compressed : {false, true}) {
    const std::string path = dir.file(compressed ? "a.gz" : "a");
    writeBytes(path, compressed ? gzipped(kImages) : kImages);
    const auto array = readIdx(path, context);
    ASSERT_OK(array);
    EXPECT_EQ(shapeOf(*array), (std::vector<std::int64_t>{3, 2, 2}));
    EXPECT_EQ(text(std::get<Array<std::uint8_t>>(*array)), countingBytes(12));
  }
}

TEST(Idx, FindsLabelsBesideTheImages) {
  const test::TempDir dir;
  const std::string images = dir.file("t10k-images-idx3-ubyte");
  writeBytes(images, kImages);
  writeBytes(dir.file("t10k-labels-idx1-ubyte.gz"), gzipped(kLabels));
  RunContext context;
  const auto dataset = openDataset(images, context);
  ASSERT_OK(dataset);
  const std::vector<std::int64_t> labels((*dataset)->labels().begin(), (*dataset)->labels().end());
  EXPECT_EQ(labels, (std::vector<std::int64_t>{7, 0, 255}));
  EXPECT_EQ((*dataset)->info().spec, "idx:" + images);
  EXPECT_EQ((*dataset)->info().name, dir.path().filename().string() + " t10k");
  EXPECT_EQ((*dataset)->itemName(2), "#2");
  const auto sample = (*dataset)->read(1);
  ASSERT_TRUE(sample);
  const Image8& image = std::get<Image8>(*sample);
  EXPECT_EQ(image.pixels.shape(), (std::vector<std::int64_t>{2, 2, 1}));
  EXPECT_EQ(text(image.pixels), std::string("\4\5\6\7"));
}

/// `values` as big-endian elements behind a header of that type.
template <class T>
std::string idxOf(char type, const std::vector<std::uint32_t>& shape,
                  const std::vector<T>& values) {
  std::string data;
  for (const T value : values) {
    const auto* const bytes = reinterpret_cast<const char*>(&value);
    for (std::size_t i = sizeof(T); i > 0; --i) {
      data += bytes[i - 1];
    }
  }
  std::string bytes = idxBytes(shape, data);
  bytes[2] = type;
  return bytes;
}

TEST(Idx, OtherElementsBecomeRealNumbers) {
  const test::TempDir dir;
  const std::string path = dir.file("x");
  for (const auto& [bytes, values] : std::vector<std::pair<std::string, std::vector<float>>>{
           {idxOf<std::int8_t>('\x09', {2, 1, 2}, {-128, 127, -1, 5}), {-1, 5}},
           {idxOf<std::int16_t>('\x0b', {2, 1, 2}, {0, 0, -300, 30000}), {-300, 30000}},
           {idxOf<std::int32_t>('\x0c', {2, 1, 2}, {0, 0, -70000, 65536}), {-70000, 65536}},
           {idxOf<float>('\x0d', {2, 1, 2}, {0, 0, 0.1F, -2.5F}), {0.1F, -2.5F}},
           {idxOf<double>('\x0e', {2, 1, 2}, {0, 0, 0.1, 1e300}), {0.1F, INFINITY}}}) {
    writeBytes(path, bytes);
    RunContext context;
    const auto dataset = openDataset("idx:" + path, context);
    ASSERT_OK(dataset);
    const auto sample = (*dataset)->read(1);
    ASSERT_TRUE(sample);
    const auto& array = std::get<Array<float>>(*sample);
    EXPECT_EQ(array.shape(), (std::vector<std::int64_t>{1, 2, 1}));
    EXPECT_EQ(std::vector<float>(array.values().begin(), array.values().end()), values);
    EXPECT_THAT((*dataset)->info().notes[0], HasSubstr("instead of bytes"));
  }
}

TEST(Idx, VectorsOfRealNumbersAndWideLabels) {
  const test::TempDir dir;
  writeBytes(dir.file("x"), idxOf<double>('\x0e', {2, 3}, {1, 2, 3, 4, 5, 6}));
  writeBytes(dir.file("y"), idxOf<std::int32_t>('\x0c', {2}, {70000, -1}));
  RunContext context;
  const auto dataset = openDataset("idx:" + dir.file("x") + "," + dir.file("y"), context);
  ASSERT_OK(dataset);
  EXPECT_EQ(std::get<Array<float>>(*(*dataset)->read(1)).shape(), (std::vector<std::int64_t>{3}));
  EXPECT_EQ((*dataset)->labels()[0], 70000);
  EXPECT_EQ((*dataset)->labels()[1], -1);
  writeBytes(dir.file("y"), idxOf<float>('\x0d', {2}, {1.0F, 0.5F}));
  expectError("idx:" + dir.file("x") + "," + dir.file("y"), ErrorCode::kMalformed, "y",
              "element 1");
  writeBytes(dir.file("y"), idxOf<std::int16_t>('\x0b', {2}, {1, -2}));
  expectError("idx:" + dir.file("x") + "," + dir.file("y"), ErrorCode::kMalformed, "y",
              "label 1 is -2");
}

TEST(Idx, ImagesWithoutLabelsSaySo) {
  const test::TempDir dir;
  writeBytes(dir.file("digits.idx"), kImages);
  RunContext context;
  const auto dataset = openDataset("idx:" + dir.file("digits.idx"), context);
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->labels()[0], -1);
  ASSERT_EQ((*dataset)->info().notes.size(), 1U);
  EXPECT_THAT((*dataset)->info().notes[0], HasSubstr("unknown"));
}

TEST(Idx, PathsMayHoldCommasSpacesAndEqualSigns) {
  const test::TempDir dir;
  const std::string images = dir.file("a, b=c?d images");
  const std::string labels = dir.file("l,l");
  writeBytes(images, kImages);
  writeBytes(labels, kLabels);
  RunContext context;
  const auto dataset = openDataset("idx:" + images + "," + labels + "?items=1:", context);
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->size(), 2);
  EXPECT_EQ((*dataset)->labels()[1], 255);
}

TEST(Idx, BrokenFilesAreRefusedByNameAndReason) {
  const test::TempDir dir;
  const auto file = [&dir](const std::string& name, const std::string& bytes) {
    writeBytes(dir.file(name), bytes);
    return "idx:" + dir.file(name);
  };
  expectError(file("empty", ""), ErrorCode::kMalformed, "empty", "not an idx file");
  expectError(file("text", "hello, world"), ErrorCode::kMalformed, "text", "not an idx file");
  expectError(file("dims", std::string("\0\0\x08\x09", 4) + kImages), ErrorCode::kMalformed, "dims",
              "not an idx file");
  std::string strange = kImages;
  strange[2] = '\x0a';
  expectError(file("strange", strange), ErrorCode::kUnsupported, "strange", "0x0a");
  strange[2] = '\x0d';
  expectError(file("floats", strange), ErrorCode::kMalformed, "floats",
              "3 x 2 x 2 elements of 4 bytes, but");
  expectError(file("header", kImages.substr(0, 9)), ErrorCode::kMalformed, "header",
              "ends inside its header");
  expectError(file("cut", kImages.substr(0, kImages.size() - 1)), ErrorCode::kMalformed, "cut",
              "only 11 bytes follow");
  expectError(file("long", kImages + "x"), ErrorCode::kMalformed, "long", "more data follows");
  expectError(file("none", idxBytes({0, 2, 2}, "")), ErrorCode::kMalformed, "none", "no item");
  expectError(file("huge", idxBytes({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "abc")),
              ErrorCode::kMalformed, "huge", "cannot hold");
  expectError(file("huge.gz", gzipped(idxBytes({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "abc"))),
              ErrorCode::kMalformed, "huge.gz", "cannot hold");
  expectError(file("labels", kLabels), ErrorCode::kInvalidArgument, "labels", "holds labels");
  expectError(file("flat", idxBytes({3, 4}, countingBytes(12))), ErrorCode::kInvalidArgument,
              "flat", "3 x 4");
  expectError("idx:" + dir.path().string(), ErrorCode::kInvalidArgument, "dubito-test",
              "not a file");
  expectError("idx:/no/where", ErrorCode::kNotFound, "/no/where", "no such file");
}

TEST(Idx, CompressedFilesCutShortOrDamagedAreRefused) {
  const test::TempDir dir;
  std::mt19937 random(7);
  std::string noise(40000, '\0');
  for (char& byte : noise) {
    byte = static_cast<char>(random() & 0xFFU);
  }
  const std::string whole = gzipped(idxBytes({10, 40, 100}, noise));
  RunContext context;
  const std::string path = dir.file("a.gz");
  writeBytes(path, whole);
  ASSERT_TRUE(readIdx(path, context));
  // The last cuts take only the checksum away: all data is there, and still something is wrong.
  for (const std::size_t left :
       {whole.size() / 2, std::size_t{15}, whole.size() - 9, whole.size() - 8, whole.size() - 1}) {
    writeBytes(path, whole.substr(0, left));
    expectError("idx:" + path, ErrorCode::kMalformed, path, "truncated");
  }
  std::string damaged = whole;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);
  writeBytes(path, damaged);
  expectError("idx:" + path, ErrorCode::kMalformed, path, "damaged");
}

TEST(Idx, ACompressedFileThatHoldsFarMoreThanItSaysIsNotUnpacked) {
  const test::TempDir dir;
  const std::string path = dir.file("bomb.gz");
  writeBytes(path, gzipped(idxBytes({3, 2, 2}, std::string(50 << 20, '\0'))));
  expectError("idx:" + path, ErrorCode::kMalformed, path, "more data follows");
}

TEST(Idx, LabelsMustBelongToTheImages) {
  const test::TempDir dir;
  writeBytes(dir.file("i"), kImages);
  writeBytes(dir.file("l"), idxBytes({4}, "abcd"));
  expectError("idx:" + dir.file("i") + "," + dir.file("l"), ErrorCode::kMalformed, dir.file("l"),
              "4 labels, but " + dir.file("i") + " holds 3 images");
  expectError("idx:" + dir.file("i") + "," + dir.file("i"), ErrorCode::kInvalidArgument,
              dir.file("i"), "not one label per item");
  expectError("idx:" + dir.file("i") + "," + dir.file("missing"), ErrorCode::kNotFound,
              dir.file("missing"), "no such file");
}

TEST(Idx, RespectsTheMemoryBudgetAndCancel) {
  const test::TempDir dir;
  const std::string path = dir.file("zeros.gz");
  writeBytes(path, gzipped(idxBytes({3000, 100, 100}, std::string(30000000, '\0'))));
  RunContext small;
  small.memory_budget_bytes = 1 << 20;
  const auto refused = readIdx(path, small);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(refused.error().message,
              HasSubstr("needs 30 MB of memory, more than the 1.05 MB allowed; allow more memory"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("memory")));
  RunContext stopped;
  stopped.control()->requestCancel();
  const auto stopped_read = readIdx(path, stopped);
  ASSERT_FALSE(stopped_read);
  EXPECT_EQ(stopped_read.error().code, ErrorCode::kCancelled);
}

TEST(Idx, MutatedFilesNeverCrashAndNeverGiveWrongShapes) {
  const test::TempDir dir;
  const std::string path = dir.file("mutated");
  std::mt19937 random(2024);
  int opened = 0;
  for (int round = 0; round < 200; ++round) {
    std::string bytes = round % 2 == 0 ? kImages : gzipped(kImages);
    const auto changes = 1 + random() % 3;
    for (unsigned change = 0; change < changes; ++change) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 3) {
        case 0:
          bytes[at] = static_cast<char>(random() & 0xFFU);
          break;
        case 1:
          bytes.resize(at + 1);
          break;
        default:
          bytes.insert(at, 1, static_cast<char>(random() & 0xFFU));
      }
    }
    writeBytes(path, bytes);
    RunContext context;
    const auto array = readIdx(path, context);
    if (array) {
      ++opened;
      ASSERT_LE(sizeOf(*array), 13);
      const auto reals = toDouble(*array);
      static_cast<void>(std::accumulate(reals.values().begin(), reals.values().end(), 0.0));
    } else {
      ASSERT_THAT(array.error().message, HasSubstr(path));
    }
  }
  EXPECT_GT(opened, 0);
  EXPECT_LT(opened, 150);
}

TEST(Idx, TheRealSets) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  for (const char* name : {"mnist", "fashion-mnist", "kmnist", "notmnist"}) {
    const auto path = *test::sharedDir() / "datasets" / name / "t10k-images-idx3-ubyte.gz";
    const auto dataset = openDataset(path.string(), context);
    ASSERT_OK(dataset);
    EXPECT_EQ((*dataset)->size(), 10000);
    EXPECT_EQ((*dataset)->info().name, std::string(name) + " t10k");
    EXPECT_TRUE((*dataset)->info().notes.empty());
    std::vector<std::int64_t> counts(10, 0);
    for (const std::int64_t label : (*dataset)->labels()) {
      ++counts.at(static_cast<std::size_t>(label));
    }
    if (std::string(name) == "mnist") {
      EXPECT_EQ((*dataset)->labels()[0], 7);
      EXPECT_EQ(counts,
                (std::vector<std::int64_t>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}));
      const auto first = (*dataset)->read(0);
      const auto pixels = std::get<Image8>(*first).pixels.values();
      EXPECT_EQ(std::accumulate(pixels.begin(), pixels.end(), 0), 18454);
    } else {
      EXPECT_EQ(counts, std::vector<std::int64_t>(10, 1000));
    }
  }
}

}  // namespace
}  // namespace dubito
