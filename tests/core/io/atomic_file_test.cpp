// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/atomic_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entriesIn(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(AtomicFile, AppearsUnderItsNameOnlyAtCommit) {
  const test::TempDir dir;
  const std::string path = dir.file("a.txt");
  Expected<AtomicFile> file = AtomicFile::create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("first "));
  ASSERT_TRUE(file->write("second"));
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(fs::path(file->tempPath()).parent_path(), dir.path());
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(test::readBytes(path), "first second");
  EXPECT_EQ(entriesIn(dir.path()), 1);
}

TEST(AtomicFile, LeavesTheOlderFileAndNothingElseWithoutCommit) {
  const test::TempDir dir;
  const std::string path = dir.file("a.txt");
  test::writeBytes(path, "older");
  {
    Expected<AtomicFile> file = AtomicFile::create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("half of the new one"));
    AtomicFile moved = std::move(*file);
    EXPECT_EQ(entriesIn(dir.path()), 2);
  }
  EXPECT_EQ(test::readBytes(path), "older");
  EXPECT_EQ(entriesIn(dir.path()), 1);
}

TEST(AtomicFile, KeepsThePermissionsOfTheOlderFile) {
  const test::TempDir dir;
  const std::string path = dir.file("a.txt");
  test::writeBytes(path, "older");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(writeFileAtomically(path, std::string_view("newer")));
  EXPECT_EQ(test::readBytes(path), "newer");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(AtomicFile, WritesThroughASymbolicLink) {
  const test::TempDir dir;
  fs::create_directory(dir.path() / "real");
  fs::create_symlink("real/a.txt", dir.path() / "link");
  ASSERT_TRUE(writeFileAtomically(dir.file("link"), std::string_view("text")));
  EXPECT_TRUE(fs::is_symlink(dir.path() / "link"));
  EXPECT_EQ(test::readBytes(dir.path() / "real" / "a.txt"), "text");
}

TEST(AtomicFile, HoldsWhatALibraryWroteByName) {
  const test::TempDir dir;
  Expected<AtomicFile> file = AtomicFile::create(dir.file("a.txt"));
  ASSERT_TRUE(file);
  fs::remove(file->tempPath());
  test::writeBytes(file->tempPath(), "by name");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(test::readBytes(dir.path() / "a.txt"), "by name");
}

TEST(AtomicFile, RefusesAMissingFolder) {
  const test::TempDir dir;
  const Status status = writeFileAtomically(dir.file("none/a.txt"), std::string_view("text"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kWriteFailed);
  EXPECT_THAT(status.error().message, HasSubstr(dir.file("none/a.txt")));
  EXPECT_THAT(status.error().message, HasSubstr("existing, writable folder"));
  EXPECT_EQ(entriesIn(dir.path()), 0);
}

TEST(AtomicFile, RefusesAFolderAndADevice) {
  const test::TempDir dir;
  fs::create_directory(dir.path() / "sub");
  for (const std::string& path : {dir.file("sub"), dir.file("sub/"), std::string("/dev/null")}) {
    const Status status = writeFileAtomically(path, std::string_view("text"));
    ASSERT_FALSE(status) << path;
    EXPECT_EQ(status.error().code, ErrorCode::kWriteFailed);
    EXPECT_THAT(status.error().message, HasSubstr("not a file"));
  }
  EXPECT_EQ(entriesIn(dir.path()), 1);
  EXPECT_EQ(entriesIn(dir.path() / "sub"), 0);
}

TEST(AtomicFile, AFailedCommitLeavesTheOlderFile) {
  const test::TempDir dir;
  const std::string path = dir.file("a.txt");
  test::writeBytes(path, "older");
  Expected<AtomicFile> file = AtomicFile::create(path);
  ASSERT_TRUE(file);
  fs::remove(file->tempPath());
  const Status status = file->commit();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kWriteFailed);
  EXPECT_EQ(test::readBytes(path), "older");
}

}  // namespace
}  // namespace dubito
