// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/png_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

std::uint32_t numberAt(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  }
  return number;
}

/// The content of the chunk at `at`, which must have this name and the checksum of its content;
/// moves `at` to the next one.
std::string chunk(const std::string& png, const std::string& name, std::size_t& at) {
  const std::size_t length = numberAt(png, at);
  EXPECT_EQ(png.substr(at + 4, 4), name);
  const std::string checked = png.substr(at + 4, 4 + length);
  EXPECT_EQ(numberAt(png, at + 8 + length), crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                                  static_cast<uInt>(checked.size())));
  at += 12 + length;
  return checked.substr(4);
}

TEST(PngFile, HasThePixelsInRows) {
  const test::TempDir folder;
  std::vector<std::uint8_t> values;
  for (int i = 0; i < 2 * 3 * 3; ++i) {
    values.push_back(static_cast<std::uint8_t>(14 * i));
  }
  const std::string path = folder.file("a.png");
  ASSERT_OK(writePng(path, {Array<std::uint8_t>::fromVector({2, 3, 3}, values)}));
  const std::string png = test::readBytes(path);
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::size_t at = 8;
  const std::string header = chunk(png, "IHDR", at);
  ASSERT_EQ(header.size(), 13U);
  EXPECT_EQ(numberAt(header, 0), 3U);
  EXPECT_EQ(numberAt(header, 4), 2U);
  EXPECT_EQ(header.substr(8), std::string("\x08\x02\0\0\0", 5));
  const std::string compressed = chunk(png, "IDAT", at);
  std::vector<std::uint8_t> rows(2 * (1 + 9));
  uLongf size = rows.size();
  ASSERT_EQ(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(compressed.data()),
                       static_cast<uLong>(compressed.size())),
            Z_OK);
  ASSERT_EQ(size, rows.size());
  for (std::size_t y = 0; y < 2; ++y) {
    EXPECT_EQ(rows[y * 10], 0) << "no filter";
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(rows[y * 10 + 1 + i], values[y * 9 + i]);
    }
  }
  EXPECT_TRUE(chunk(png, "IEND", at).empty());
  EXPECT_EQ(at, png.size());
}

TEST(PngFile, FailsWithThePathAndRefusesOtherChannels) {
  const test::TempDir folder;
  const Image8 image{Array<std::uint8_t>::zeros({1, 1, 3})};
  const Status written = writePng(folder.file("none/a.png"), image);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("none/a.png"));
  EXPECT_THROW((void)writePng(folder.file("a.png"), {Array<std::uint8_t>::zeros({1, 1, 1})}),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
