// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/image_url.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

TEST(ImageUrl, EncodesPaths) {
  EXPECT_EQ(imageUrl("/data/local-files/?d=", "a b/\xC3\xA4&1%.png"),
            "/data/local-files/?d=a%20b/%C3%A4%261%25.png");
  EXPECT_EQ(imageUrl("", "a b&.png"), "a b&.png");
}

TEST(ImageUrl, FindsThePath) {
  EXPECT_EQ(pathOfImageUrl("/data/local-files/?d=a%20b/1.png"), "a b/1.png");
  EXPECT_EQ(pathOfImageUrl("/data/local-files/?x=1&d=a/1.png&y=2"), "a/1.png");
  EXPECT_EQ(pathOfImageUrl("/data/upload/2/1f2e3d4c-0001.png"), "0001.png");
  EXPECT_EQ(pathOfImageUrl("/data/upload/2/my-photo-1.png"), "my-photo-1.png");
  EXPECT_EQ(pathOfImageUrl("/data/upload/2/1f2e3d4c-"), "1f2e3d4c-");
  EXPECT_EQ(pathOfImageUrl("https://example.org/a/1%20.png?token=x#y"), "a/1 .png");
  EXPECT_EQ(pathOfImageUrl("s3://bucket/a/1.png"), "a/1.png");
  EXPECT_EQ(pathOfImageUrl("https://example.org"), "");
  EXPECT_EQ(pathOfImageUrl("https://example.org/?a"), "");
  EXPECT_EQ(pathOfImageUrl("a/1.png"), "a/1.png");
  EXPECT_EQ(pathOfImageUrl("/data/local-files/?d=a%2"), "a%2");
  EXPECT_EQ(pathOfImageUrl("/data/local-files/?d=%zz%"), "%zz%");
  EXPECT_EQ(pathOfImageUrl(""), "");
}

TEST(ImageUrl, ComesBack) {
  for (const char* const path : {"a.png", "a b/c%20.png", "?d=&#.png", "\xE4.png"}) {
    EXPECT_EQ(pathOfImageUrl(imageUrl("/data/local-files/?d=", path)), path);
    EXPECT_EQ(pathOfImageUrl(imageUrl("https://example.org/", path)), path);
  }
}

}  // namespace
}  // namespace dubito
