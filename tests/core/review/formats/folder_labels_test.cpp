// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/folder_labels.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;

class FolderLabels : public testing::Test {
 protected:
  void SetUp() override {
    table_ = test::exampleLabels();
    test::writeExampleImages(dir_, table_);
    options_.images = dir_.file("images");
  }

  [[nodiscard]] std::string error(const std::string& path) const {
    RunContext context;
    const auto result = exportLabels(test::labelFormat("folders"), table_, path, options_, context);
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().message;
  }

  test::TempDir dir_;
  LabelTable table_;
  LabelExportOptions options_;
};

TEST_F(FolderLabels, StayInsideTheTarget) {
  const LabelExport written = test::writeLabels("folders", table_, dir_.file("out"), options_);
  EXPECT_EQ(written.labels, 4);
  // No class without images, and no folder inside that of a class.
  EXPECT_THAT(test::everythingIn(dir_.path() / "out"),
              ElementsAre("%2E.%2Fa%2Fb", "%2E.%2Fa%2Fb/%2E.%2Foutside%2F.hidden 100%2525.png",
                          "cat", "cat/sub%2F0001.png", "cat/sub%2Fdir, with \"commas\"%2F0002.png",
                          "dog, \"big\"", "dog, \"big\"/\xC3\xA4 b%2F0003.png"));
  EXPECT_EQ(test::readBytes(dir_.path() / "out/cat/sub%2F0001.png"), "image sub/0001.png");
}

TEST_F(FolderLabels, KeepFoldersOfPathsThatAreTooLongForNames) {
  table_.rows.resize(2);
  table_.rows[1].path = std::string(200, 'a') + '/' + std::string(100, 'b') + ".png";
  test::writeExampleImages(dir_, table_);
  const LabelExport written = test::writeLabels("folders", table_, dir_.file("out"), options_);
  EXPECT_THAT(test::texts(written.notes),
              Contains(HasSubstr("because their paths are too long for names: 1")));
  EXPECT_TRUE(fs::exists(dir_.path() / "out/cat" / table_.rows[1].path));
  EXPECT_THAT(test::pathsAndClasses(test::readLabels("folders", dir_.file("out")).table),
              ElementsAre(table_.rows[1].path + " cat"));
}

TEST_F(FolderLabels, CanBeLinks) {
  options_.link = "hard-link";
  (void)test::writeLabels("folders", table_, dir_.file("hard"), options_);
  EXPECT_TRUE(
      fs::equivalent(dir_.path() / "hard/cat/sub%2F0001.png", dir_.path() / "images/sub/0001.png"));
  EXPECT_EQ(fs::hard_link_count(dir_.path() / "images/sub/0001.png"), 2U);
  options_.link = "symbolic-link";
  (void)test::writeLabels("folders", table_, dir_.file("soft"), options_);
  ASSERT_TRUE(fs::is_symlink(dir_.path() / "soft/cat/sub%2F0001.png"));
  EXPECT_EQ(test::readBytes(dir_.path() / "soft/cat/sub%2F0001.png"), "image sub/0001.png");
  // Names suffice for reading.
  fs::remove_all(dir_.path() / "images");
  EXPECT_EQ(test::readLabels("folders", dir_.file("soft")).table.rows.size(), 4U);
}

TEST_F(FolderLabels, ListImagesThatAreMissing) {
  fs::remove(dir_.path() / "images/sub/0001.png");
  LabelRow nameless;
  nameless.item = 12;
  nameless.class_id = 0;
  table_.rows.push_back(nameless);
  const LabelExport written = test::writeLabels("folders", table_, dir_.file("out"), options_);
  EXPECT_EQ(written.labels, 3);
  EXPECT_THAT(test::texts(written.notes),
              Contains("images that were not found: 1 ('sub/0001.png')"));
  EXPECT_THAT(test::texts(written.notes), Contains("labels without a path, left out: 1 ('#12')"));
  options_.images = dir_.file("elsewhere");
  const std::string message = error(dir_.file("out2"));
  EXPECT_THAT(message, HasSubstr("none of 4 images was found"));
  EXPECT_THAT(message, HasSubstr(dir_.file("elsewhere/sub/0001.png")));
  EXPECT_FALSE(fs::exists(dir_.path() / "out2"));
}

TEST_F(FolderLabels, NeverOverwrite) {
  fs::create_directories(dir_.path() / "out/cat");
  test::writeBytes(dir_.path() / "out/cat/mine.png", "mine");
  EXPECT_THAT(error(dir_.file("out")), HasSubstr("not empty"));
  EXPECT_THAT(test::everythingIn(dir_.path() / "out"), ElementsAre("cat", "cat/mine.png"));
  EXPECT_THAT(error(dir_.file("out/cat/mine.png")), HasSubstr("not a folder"));
  EXPECT_EQ(test::readBytes(dir_.path() / "out/cat/mine.png"), "mine");
  fs::create_directory(dir_.path() / "empty");
  (void)test::writeLabels("folders", table_, dir_.file("empty/"), options_);
  EXPECT_TRUE(fs::exists(dir_.path() / "empty/cat/sub%2F0001.png"));
}

TEST_F(FolderLabels, RefuseNamesThatNoFileSystemTakes) {
  table_.classes[0].name = std::string(300, 'x');
  EXPECT_THAT(error(dir_.file("out")), HasSubstr("longer than 255 bytes"));
  EXPECT_FALSE(fs::exists(dir_.path() / "out"));
}

TEST_F(FolderLabels, OfOtherProgramsAreRead) {
  const fs::path in = dir_.path() / "in";
  fs::create_directories(in / "100%");
  fs::create_directories(in / "empty");
  fs::create_directories(in / ".cache");
  fs::create_directories(dir_.path() / "other");
  test::writeBytes(in / "100%/a.png", "");
  test::writeBytes(in / ".cache/x.png", "");
  test::writeBytes(in / "loose.png", "");
  test::writeBytes(dir_.path() / "other/b.png", "");
  fs::create_directory_symlink(dir_.path() / "other", in / "linked");
  fs::create_directory_symlink(in, in / "100%/up");
  const LabelImport read = test::readLabels("folders", in.string());
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png 100%", "b.png linked"));
  EXPECT_EQ(read.table.rows[0].second_path, "100%/a.png");
  EXPECT_EQ(read.table.classes.size(), 3U);
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("files outside of the class folders: 1 ('loose.png')"));
  (void)test::readError("folders", (in / "loose.png").string(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace dubito
