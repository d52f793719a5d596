// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/regular_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

std::string refusal(const std::string& path) {
  const Status status = checkRegularFile(path);
  return status ? std::string() : status.error().message;
}

TEST(RegularFile, IsWhatMayBeOpened) {
  const test::TempDir folder;
  test::writeBytes(folder.path() / "file", "text");
  std::filesystem::create_symlink("file", folder.path() / "link");
  EXPECT_TRUE(checkRegularFile(folder.file("file")));
  EXPECT_TRUE(checkRegularFile(folder.file("link")));
  // Left to the one who opens it.
  EXPECT_TRUE(checkRegularFile(folder.file("absent")));
}

TEST(RegularFile, OthersAreNamed) {
  const test::TempDir folder;
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", folder.path() / "link");
  EXPECT_THAT(refusal(folder.path().string()), HasSubstr("is a folder, not a file"));
  EXPECT_THAT(refusal(folder.file("pipe")), HasSubstr("is a named pipe, not a file"));
  EXPECT_THAT(refusal(folder.file("link")), HasSubstr("is a named pipe, not a file"));
  EXPECT_THAT(refusal("/dev/null"), HasSubstr("is a device, not a file"));
  EXPECT_EQ(checkRegularFile("/dev/null").error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace dubito
