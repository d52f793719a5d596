// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_check.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/core/io/zip_builder.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

class ZipCheck : public testing::Test {
 protected:
  Status check(const std::string& bytes) {
    test::writeBytes(folder_.path() / "file.zip", bytes);
    return checkZipContents(folder_.file("file.zip"), "copy it again");
  }

  test::TempDir folder_;
};

std::string longText() {
  std::string text;
  for (int i = 0; i < 40'000; ++i) {
    text += std::to_string(i);
  }
  return text;
}

TEST_F(ZipCheck, AcceptsStoredAndDeflatedEntries) {
  EXPECT_TRUE(check(test::buildZip({{.name = "a/stored", .data = longText(), .deflate = false},
                                    {.name = "a/deflated", .data = longText()},
                                    {.name = "a/empty", .data = "", .deflate = false}})));
}

TEST_F(ZipCheck, NamesTheEntryThatDiffers) {
  for (const bool deflate : {false, true}) {
    const Status status = check(test::buildZip(
        {{.name = "a/right", .data = longText(), .deflate = deflate},
         {.name = "a/wrong", .data = longText(), .deflate = deflate, .wrong_crc = true}}));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kMalformed);
    EXPECT_THAT(status.error().message, HasSubstr("file.zip: its record 'a/wrong' is damaged"));
    EXPECT_THAT(status.error().message, HasSubstr("; copy it again"));
  }
}

/// Every byte of the content counts, also where inflating it fails or gives another length.
TEST_F(ZipCheck, FindsAnyFlippedByteOfTheContent) {
  for (const bool deflate : {false, true}) {
    const std::string data = "the weights of a network, the weights of a network";
    const std::string bytes = test::buildZip({{.name = "n", .data = data, .deflate = deflate}});
    const std::size_t begin = bytes.find('n') + 1;
    // The last bits of a deflated entry only fill up its last byte.
    const std::size_t end = bytes.find("PK\x01\x02") - (deflate ? 1 : 0);
    ASSERT_LT(begin, end);
    ASSERT_TRUE(check(bytes));
    for (std::size_t at = begin; at < end; ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      EXPECT_FALSE(check(damaged)) << at << (deflate ? " deflated" : " stored");
    }
  }
}

TEST_F(ZipCheck, RefusesALengthThatDiffers) {
  for (const std::int64_t claimed : {std::int64_t{1}, std::int64_t{1} << 30}) {
    EXPECT_FALSE(
        check(test::buildZip({{.name = "n", .data = longText(), .claimed_bytes = claimed}})));
  }
}

TEST_F(ZipCheck, RefusesWhatIsNoArchive) {
  EXPECT_FALSE(check("not a zip archive"));
  EXPECT_EQ(checkZipContents(folder_.file("absent"), "").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace dubito
