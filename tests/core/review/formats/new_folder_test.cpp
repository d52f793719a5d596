// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/new_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(NewFolder, AppearsWhenItIsComplete) {
  const test::TempDir dir;
  {
    Expected<NewFolder> folder = NewFolder::create(dir.file("out"));
    ASSERT_OK(folder);
    ASSERT_OK(folder->addFile("a/b.txt", "text"));
    ASSERT_OK(folder->addFolder("c/d"));
    EXPECT_FALSE(fs::exists(dir.path() / "out"));
    ASSERT_OK(folder->commit());
  }
  EXPECT_THAT(test::everythingIn(dir.path()),
              ElementsAre("out", "out/a", "out/a/b.txt", "out/c", "out/c/d"));
}

TEST(NewFolder, LeavesNothingWithoutCommit) {
  const test::TempDir dir;
  {
    Expected<NewFolder> folder = NewFolder::create(dir.file("out"));
    ASSERT_OK(folder);
    ASSERT_OK(folder->addFile("a/b.txt", "text"));
  }
  EXPECT_THAT(test::everythingIn(dir.path()), IsEmpty());
}

TEST(NewFolder, DoesNotReplaceWhatAppearsMeanwhile) {
  const test::TempDir dir;
  Expected<NewFolder> folder = NewFolder::create(dir.file("out"));
  ASSERT_OK(folder);
  ASSERT_OK(folder->addFile("a.txt", "mine"));
  fs::create_directory(dir.path() / "out");
  test::writeBytes(dir.path() / "out/a.txt", "theirs");
  const Status status = folder->commit();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kWriteFailed);
  EXPECT_THAT(status.error().message, HasSubstr(dir.file("out")));
  EXPECT_EQ(test::readBytes(dir.path() / "out/a.txt"), "theirs");
}

TEST(NewFolder, FollowsALinkToAnEmptyFolder) {
  const test::TempDir dir;
  fs::create_directories(dir.path() / "disk/labels");
  fs::create_directory_symlink(dir.path() / "disk/labels", dir.path() / "link");
  Expected<NewFolder> folder = NewFolder::create(dir.file("link/"));
  ASSERT_OK(folder);
  ASSERT_OK(folder->addFile("a.txt", "text"));
  ASSERT_OK(folder->commit());
  EXPECT_TRUE(fs::is_symlink(dir.path() / "link"));
  EXPECT_EQ(test::readBytes(dir.path() / "disk/labels/a.txt"), "text");
}

TEST(NewFolder, RefusesMissingParentsAndFiles) {
  const test::TempDir dir;
  test::writeBytes(dir.file("file"), "text");
  for (const std::string& path : {dir.file("none/out"), dir.file("file"), std::string()}) {
    const Expected<NewFolder> folder = NewFolder::create(path);
    ASSERT_FALSE(folder) << path;
    EXPECT_EQ(folder.error().code, ErrorCode::kWriteFailed);
    EXPECT_THAT(folder.error().message, HasSubstr("; "));
  }
  EXPECT_THAT(test::everythingIn(dir.path()), ElementsAre("file"));
}

TEST(NewFolder, ReportsImagesThatCannotBeCopied) {
  const test::TempDir dir;
  Expected<NewFolder> folder = NewFolder::create(dir.file("out"));
  ASSERT_OK(folder);
  for (const char* const link : {"copy", "hard-link", "symbolic-link"}) {
    const Status status = folder->addImage("a/b.png", dir.file("none.png"), link);
    ASSERT_FALSE(status) << link;
    EXPECT_THAT(status.error().message, HasSubstr(dir.file("out/a/b.png")));
  }
}

}  // namespace
}  // namespace dubito
