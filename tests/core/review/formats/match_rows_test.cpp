// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/match_rows.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::int64_t> kIds{10, 11, 12, 13, 14};
const std::vector<std::string> kNames{"cat/1.png", "dog/1.png", "cat/2.png", "3.png", "a/b/3.png"};

LabelTable rowsOf(const std::vector<std::string>& paths) {
  LabelTable table;
  for (const std::string& path : paths) {
    LabelRow row;
    row.path = path;
    table.rows.push_back(row);
  }
  return table;
}

TEST(MatchRows, FindsItemsByTheirPaths) {
  const RowMatches matches =
      matchRows(rowsOf({"cat/1.png", "/data/set/dog/1.png", "set\\dog\\1.png", "./cat//2.png",
                        "../../cat/2.png", "C:\\x\\a\\b\\3.png", "b/3.png", "/x/3.png"}),
                kIds, kNames);
  EXPECT_THAT(matches.items, ElementsAre(10, 11, 11, 12, 12, 14, 14, 13));
  EXPECT_EQ(matches.by_path, 8);
  EXPECT_THAT(matches.notes(), IsEmpty());
}

TEST(MatchRows, FindsItemsByNamesThatOccurOnce) {
  const RowMatches matches = matchRows(
      rowsOf({"2.png", "bird/2.png", "1.png", "bird/1.png", "none.png", ""}), kIds, kNames);
  EXPECT_THAT(matches.items,
              ElementsAre(12, 12, std::nullopt, std::nullopt, std::nullopt, std::nullopt));
  EXPECT_EQ(matches.by_name, 2);
  EXPECT_THAT(test::texts(matches.notes()),
              ElementsAre("labels of items that the dataset does not have: 2 ('none.png', '')",
                          "labels that fit several items, not used: 2 ('1.png', 'bird/1.png')"));
}

TEST(MatchRows, PrefersIdsUnlessTheyContradictThePath) {
  LabelTable table = rowsOf({"", "other/1.png", "cat/2.png", "cat/1.png"});
  table.rows[0].item = 13;
  table.rows[1].item = 11;
  table.rows[2].item = 10;
  table.rows[3].item = 99;
  const RowMatches matches = matchRows(table, kIds, kNames);
  EXPECT_THAT(matches.items, ElementsAre(13, 11, 12, 10));
  EXPECT_EQ(matches.by_id, 2);
  EXPECT_EQ(matches.by_path, 2);
  EXPECT_THAT(test::texts(matches.notes()),
              ElementsAre("ids that belong to items of other names, matched by path instead: 1 "
                          "('10: cat/2.png')"));
}

TEST(MatchRows, AcceptsAnyPathForItemsWithoutFiles) {
  LabelTable table = rowsOf({"/data/upload/x.png", "#1"});
  table.rows[0].item = 0;
  const std::vector<std::int64_t> ids{0, 1};
  const std::vector<std::string> names{"#0", "#1"};
  EXPECT_THAT(matchRows(table, ids, names).items, ElementsAre(0, 1));
}

TEST(MatchRows, KnowsFoldersWhoseClassIsPartOfThePath) {
  LabelTable table = rowsOf({"1.png", "1.png", "2.png"});
  table.rows[0].second_path = "cat/1.png";
  table.rows[1].second_path = "dog/1.png";
  table.rows[2].second_path = "dog/2.png";  // moved from cat
  EXPECT_THAT(matchRows(table, kIds, kNames).items, ElementsAre(10, 11, 12));
}

TEST(MatchRows, FindsImagesNamedWithoutTheirEnding) {
  const RowMatches matches =
      matchRows(rowsOf({"cat/1", "2", "labels/2", "1", "a.b/x", "3.tiff"}), kIds, kNames);
  EXPECT_THAT(matches.items, ElementsAre(10, 12, 12, std::nullopt, std::nullopt, std::nullopt));
  EXPECT_THAT(test::texts(matches.notes()),
              ElementsAre("labels of items that the dataset does not have: 2 ('a.b/x', '3.tiff')",
                          "labels that fit several items, not used: 1 ('1')"));
}

TEST(FindByHash, FindsFilesThatNoOtherOneEquals) {
  RunContext context;
  int asked = 0;
  const std::vector<std::string> files{"file:aa", "", "file:bb", "file:cc", "file:bb"};
  const auto hash_of = [&](std::size_t file) {
    ++asked;
    return files[file];
  };
  const std::vector<std::string> hashes{"file:cc", "file:bb", "", "cc", "file:dd"};
  const auto found = findByHash(hashes, files.size(), hash_of, context);
  ASSERT_OK(found);
  EXPECT_THAT(found->files, ElementsAre(3, std::nullopt, std::nullopt, std::nullopt, std::nullopt));
  EXPECT_THAT(found->several, ElementsAre(false, true, false, false, false));
  EXPECT_EQ(asked, 5);
  // Nothing is read if there is nothing to find.
  ASSERT_OK(findByHash(std::vector<std::string>{"", "ab"}, files.size(), hash_of, context));
  EXPECT_EQ(asked, 5);
  context.control()->requestCancel();
  const auto stopped = findByHash(hashes, files.size(), hash_of, context);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

TEST(MatchRows, CountsPresentLabelsOnly) {
  LabelTable table = rowsOf({"cat/1.png", "cat/1.png", "none.png"});
  table.rows[0].present = false;
  table.rows[2].present = false;
  const RowMatches matches = matchRows(table, kIds, kNames);
  EXPECT_THAT(matches.items, ElementsAre(10, 10, std::nullopt));
  EXPECT_EQ(matches.by_path, 1);
  EXPECT_THAT(matches.notes(), IsEmpty());
}

TEST(MatchRows, IsFastForManyEqualNames) {
  constexpr int kItems = 50000;
  std::vector<std::int64_t> ids;
  std::vector<std::string> names;
  std::vector<std::string> paths;
  for (int i = 0; i < kItems; ++i) {
    ids.push_back(i);
    names.push_back("patient " + std::to_string(i) + "/image.png");
    paths.push_back("/mnt/" + names.back());
  }
  const RowMatches matches = matchRows(rowsOf(paths), ids, names);
  EXPECT_EQ(matches.by_path, kItems);
  EXPECT_THAT(matches.notes(), IsEmpty());
  EXPECT_EQ(matches.items[777], 777);
}

TEST(MatchRows, NeedsANameForEachItem) {
  EXPECT_THROW((void)matchRows({}, kIds, {}), std::invalid_argument);
}

/// Each format brings labels back to their items, also where it keeps no ids.
TEST(MatchRows, BringsEveryFormatBack) {
  const test::TempDir dir;
  LabelTable table;
  table.classes = {{.id = 0, .name = "cat"}, {.id = 1, .name = "dog"}};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    LabelRow row;
    row.item = kIds[i];
    row.path = kNames[i];
    row.class_id = static_cast<std::int64_t>(i % 2);
    const std::filesystem::path image = dir.path() / "images" / kNames[i];
    std::filesystem::create_directories(image.parent_path());
    test::writeBytes(image, "image");
    table.rows.push_back(row);
  }
  LabelExportOptions options;
  options.images = dir.file("images");
  for (const std::string& key : test::formatKeys()) {
    const std::string path = dir.file(key + test::labelFormat(key).ending);
    (void)test::writeLabels(key, table, path, options);
    LabelTable read = test::readLabels(key, path).table;
    for (const bool with_ids : {true, false}) {
      if (!with_ids) {
        for (LabelRow& row : read.rows) {
          row.item.reset();
        }
      }
      const RowMatches matches = matchRows(read, kIds, kNames);
      EXPECT_THAT(matches.notes(), IsEmpty()) << key;
      ASSERT_EQ(matches.items.size(), kIds.size()) << key;
      const ClassNames names(read.classes);
      for (std::size_t i = 0; i < read.rows.size(); ++i) {
        ASSERT_TRUE(matches.items[i]) << key;
        EXPECT_EQ(names.text(read.rows[i].class_id), *matches.items[i] % 2 == 0 ? "cat" : "dog")
            << key << ' ' << read.rows[i].path;
      }
    }
  }
}

}  // namespace
}  // namespace dubito
