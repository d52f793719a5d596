// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>

#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"
#include "core/data/sources/folder_scan.h"
#include "tests/core/data/image_files.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

using test::encoded;
using test::plain;
using test::writeBelow;

Expected<DatasetPtr> open(const test::TempDir& dir, const std::string& options = {}) {
  RunContext context;
  return openDataset("folder:" + dir.path().string() + options, context);
}

std::vector<std::string> namesOf(const Dataset& dataset) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    names.push_back(dataset.itemName(i));
  }
  return names;
}

TEST(Folder, AClassASubfolderInTheOrderOfTheirNames) {
  const test::TempDir dir;
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  for (const char* const path : {"b/2.png", "a/1.PNG", "b/10.jpeg", "a/deep/x.png", "Z/1.jpg"}) {
    writeBelow(dir, path, png);
  }
  writeBelow(dir, "a/notes.txt", "x");
  writeBelow(dir, "a/.hidden.png", png);
  writeBelow(dir, ".git/x.png", png);
  writeBelow(dir, "stray.png", png);
  fs::create_directories(dir.path() / "empty");
  const auto dataset = open(dir);
  ASSERT_OK(dataset);
  EXPECT_EQ(namesOf(**dataset), (std::vector<std::string>{"Z/1.jpg", "a/1.PNG", "a/deep/x.png",
                                                          "b/10.jpeg", "b/2.png"}));
  EXPECT_EQ((*dataset)->info().class_names, (std::vector<std::string>{"Z", "a", "b", "empty"}));
  EXPECT_EQ(std::vector<std::int64_t>((*dataset)->labels().begin(), (*dataset)->labels().end()),
            (std::vector<std::int64_t>{0, 1, 1, 2, 2}));
  EXPECT_EQ((*dataset)->info().name, dir.path().filename().string());
  EXPECT_EQ((*dataset)->info().notes,
            (std::vector<std::string>{"1 image next to the class folders was ignored: stray.png",
                                      "1 of 4 class folders contains no images: empty",
                                      "1 file that is not an image was ignored: a/notes.txt",
                                      "2 hidden files and folders were skipped"}));
  const auto only_b = open(dir, "?classes=b");
  ASSERT_TRUE(only_b);
  EXPECT_EQ((*only_b)->ids()[1], (*dataset)->ids()[4]);
}

TEST(Folder, IdsComeFromRelativePathsAndNothingElse) {
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  std::map<std::string, std::int64_t> ids[2];
  for (const bool more : {false, true}) {
    const test::TempDir dir;
    writeBelow(dir, "x/1.png", png);
    writeBelow(dir, "x/2.png", png);
    if (more) {
      writeBelow(dir, "a/0.png", png);
    }
    const auto dataset = open(dir);
    ASSERT_TRUE(dataset);
    for (std::int64_t i = 0; i < (*dataset)->size(); ++i) {
      ids[more][(*dataset)->itemName(i)] = (*dataset)->ids()[static_cast<std::size_t>(i)];
      EXPECT_GE((*dataset)->ids()[static_cast<std::size_t>(i)], 0);
    }
  }
  EXPECT_EQ(ids[0].at("x/1.png"), ids[1].at("x/1.png"));
  EXPECT_EQ(ids[0].at("x/2.png"), ids[1].at("x/2.png"));
  EXPECT_NE(ids[0].at("x/1.png"), ids[0].at("x/2.png"));
  // FNV-1a's published value for "foobar" is 85944171f73967e8.
  EXPECT_EQ(pathId("foobar"), 0x05944171f73967e8);
}

TEST(Folder, FlatFoldersAndLabelsFromNames) {
  const test::TempDir dir;
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  for (const char* const path : {"B1.png", "A1.png", "\xC3\x84x.png", "B22.png"}) {
    writeBelow(dir, path, png);
  }
  const auto flat = open(dir);
  ASSERT_OK(flat);
  EXPECT_EQ((*flat)->labels()[0], -1);
  EXPECT_TRUE((*flat)->info().class_names.empty());
  EXPECT_EQ((*flat)->info().notes.size(), 1U);
  const auto letters = open(dir, "?labels=prefix:1");
  ASSERT_OK(letters);
  EXPECT_EQ((*letters)->info().class_names, (std::vector<std::string>{"A", "B", "\xC3\x84"}));
  EXPECT_EQ(std::vector<std::int64_t>((*letters)->labels().begin(), (*letters)->labels().end()),
            (std::vector<std::int64_t>{0, 1, 1, 2}));
  for (const char* const wrong : {"first", "prefix:", "prefix:0", "prefix:x", "prefix:1x"}) {
    const auto refused = open(dir, std::string("?labels=") + wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_THAT(refused.error().message, HasSubstr("is not valid; use prefix:N"));
    EXPECT_THAT(refused.error().remedy.settings,
                testing::ElementsAre(datasetSetting("labels", "prefix:N"),
                                     datasetSetting("labels", "folder")));
  }
}

TEST(Folder, BrokenFilesAreErrorsOfTheirItemsAlone) {
  const test::TempDir dir;
  const std::string jpeg = encoded(".jpg", plain(16, 16, 9, 9, 9));
  writeBelow(dir, "1.jpg", jpeg);
  writeBelow(dir, "2.jpg", jpeg.substr(0, jpeg.size() / 2));
  writeBelow(dir, "3.jpg", "no image");
  writeBelow(dir, "4.jpg", jpeg);
  writeBelow(dir, "5.jpg", "");
  const auto dataset = open(dir);
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->size(), 5);
  std::vector<std::int64_t> indices(5);
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  RunContext context;
  context.threads = 2;
  const auto batch = loadBatch(**dataset, indices, Preprocessing(), context);
  ASSERT_OK(batch);
  EXPECT_EQ(batch->indices, (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(batch->unreadable, (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_THAT(batch->unreadable_reasons[0], HasSubstr("2.jpg"));
  EXPECT_EQ(batch->inputs.shape(), (std::vector<std::int64_t>{2, 3, 16, 16}));
}

TEST(Folder, EmptyAndMissingFoldersAreErrors) {
  const test::TempDir dir;
  const auto empty = open(dir);
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("contains no images; give a folder"));
  writeBelow(dir, "a.txt", "x");
  EXPECT_THAT(open(dir).error().message,
              HasSubstr("1 file that is not an image was ignored: a.txt"));
  RunContext context;
  EXPECT_EQ(openDataset("folder:/no/where", context).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(openDataset("folder:" + dir.file("a.txt"), context).error().code,
            ErrorCode::kInvalidArgument);
}

std::vector<std::int64_t> labelsOf(const Dataset& dataset) {
  return {dataset.labels().begin(), dataset.labels().end()};
}

TEST(Folder, ContentsDecideWhatAnImageIs) {
  const test::TempDir dir;
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  const std::string jpeg = encoded(".jpg", plain(16, 16, 9, 9, 9));
  for (const char* const path : {"cat/1.jfif", "cat/2.jpe", "cat/3", "cat/4.PNG", "cat/5.photo"}) {
    writeBelow(dir, path, jpeg);
  }
  writeBelow(dir, "dog/1.pgm", "P2\n2 1\n255\n0 255\n");
  writeBelow(dir, "dog/2.jp2", encoded(".jp2", plain(64, 64, 1, 2, 3)));
  writeBelow(dir, "dog/3.tif", encoded(".tiff", plain(2, 2, 1, 2, 3)));
  writeBelow(dir, "dog/4.gif", "GIF89a and the rest");
  writeBelow(dir, "dog/notes", "just a text");
  writeBelow(dir, "dog/4.txt", "1 0.5 0.5 1 1");
  writeBelow(dir, "dog/empty", "");
  const auto dataset = open(dir);
  ASSERT_OK(dataset);
  EXPECT_EQ(namesOf(**dataset),
            (std::vector<std::string>{"cat/1.jfif", "cat/2.jpe", "cat/3", "cat/4.PNG",
                                      "cat/5.photo", "dog/1.pgm", "dog/2.jp2", "dog/3.tif"}));
  for (std::int64_t i = 0; i < (*dataset)->size(); ++i) {
    EXPECT_OK((*dataset)->read(i));
  }
  EXPECT_EQ((*dataset)->info().notes,
            (std::vector<std::string>{
                "3 files that are not images were ignored: dog/4.txt, dog/empty, dog/notes",
                "1 image of a format that cannot be decoded was left out (convert it to PNG or "
                "JPEG): dog/4.gif (GIF)"}));
}

TEST(Folder, WhatSystemsAddIsNoClass) {
  const test::TempDir dir;
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  for (const char* const path :
       {"cat/1.png", "dog/1.png", "dog/._1.png", "__MACOSX/cat/._1.png", "@eaDir/1.png",
        "cat/.ipynb_checkpoints/1.png", "cat/__pycache__/1.png"}) {
    writeBelow(dir, path, png);
  }
  const auto dataset = open(dir);
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->info().class_names, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(namesOf(**dataset), (std::vector<std::string>{"cat/1.png", "dog/1.png"}));
  EXPECT_EQ(
      (*dataset)->info().notes,
      (std::vector<std::string>{"3 system folders were skipped: @eaDir, __MACOSX, cat/__pycache__",
                                "2 hidden files and folders were skipped"}));
}

TEST(Folder, LinksAreFollowedOnceAndLoopsAreCut) {
  const test::TempDir dir;
  const test::TempDir elsewhere;
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  writeBelow(dir, "cat/1.png", png);
  writeBelow(dir, "dog/deep/1.png", png);
  writeBelow(elsewhere, "more/2.png", png);
  writeBelow(elsewhere, "owls/3.png", png);
  fs::create_directory_symlink(elsewhere.path() / "more", dir.path() / "cat/linked");
  fs::create_directory_symlink(elsewhere.path() / "more", dir.path() / "dog/again");
  fs::create_directory_symlink(dir.path(), dir.path() / "dog/loop");
  fs::create_directory_symlink("..", dir.path() / "dog/deep/up");
  fs::create_directory_symlink("cat", dir.path() / "alias");
  fs::create_directory_symlink(elsewhere.path() / "owls", dir.path() / "owl");
  fs::create_directory_symlink(elsewhere.path(), elsewhere.path() / "owls/out");
  fs::create_symlink(elsewhere.path() / "owls/3.png", dir.path() / "dog/file.png");
  fs::create_symlink("nowhere", dir.path() / "dog/broken");
  const auto dataset = open(dir);
  ASSERT_OK(dataset);
  EXPECT_EQ(namesOf(**dataset),
            (std::vector<std::string>{"cat/1.png", "cat/linked/2.png", "dog/deep/1.png",
                                      "dog/file.png", "owl/3.png"}));
  EXPECT_EQ((*dataset)->info().class_names, (std::vector<std::string>{"cat", "dog", "owl"}));
  EXPECT_EQ(labelsOf(**dataset), (std::vector<std::int64_t>{0, 0, 1, 1, 2}));
  EXPECT_EQ((*dataset)->info().notes,
            (std::vector<std::string>{
                "1 file that is not an image was ignored: dog/broken",
                "3 links to folders were followed: cat/linked, owl, owl/out",
                "4 links to folders were not followed, because those folders are listed already: "
                "alias, dog/again, dog/deep/up, dog/loop"}));
}

TEST(Folder, SplitsAreNoClasses) {
  const test::TempDir dir;
  const std::string png = encoded(".png", plain(2, 2, 1, 2, 3));
  for (const char* const path : {"Train/cat/1.png", "Train/dog/1.png", "Val/cat/1.png"}) {
    writeBelow(dir, path, png);
  }
  const auto refused = open(dir);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message,
              HasSubstr("Train, Val look like the splits of a dataset, not like classes; open one "
                        "of them (folder:" +
                        (dir.path() / "Train").string() +
                        "), or take the labels from the folders if they are classes"));
  EXPECT_THAT(refused.error().remedy.settings,
              testing::ElementsAre(datasetSetting("labels", "folder")));
  RunContext context;
  const auto split = openDataset("folder:" + (dir.path() / "Train").string(), context);
  ASSERT_OK(split);
  EXPECT_EQ((*split)->info().class_names, (std::vector<std::string>{"cat", "dog"}));
  const auto insisted = open(dir, "?labels=folder");
  ASSERT_OK(insisted);
  EXPECT_EQ((*insisted)->info().class_names, (std::vector<std::string>{"Train", "Val"}));
  EXPECT_OK(open(dir, "?labels=prefix:1"));
}

TEST(Folder, TheHandPhotographs) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  const auto dataset = openDataset(
      (*test::sharedDir() / "datasets/photos/asl").string() + "?labels=prefix:1", context);
  ASSERT_OK(dataset);
  ASSERT_EQ((*dataset)->size(), 26);
  EXPECT_EQ((*dataset)->info().name, "asl");
  EXPECT_EQ((*dataset)->itemName(25), "Z1.jpg");
  EXPECT_EQ((*dataset)->labels()[25], 25);
  EXPECT_EQ((*dataset)->info().class_names[25], "Z");
  for (std::int64_t i = 0; i < 26; ++i) {
    const auto sample = (*dataset)->read(i);
    ASSERT_OK(sample);
    EXPECT_EQ(std::get<Image8>(*sample).pixels.shape(), (std::vector<std::int64_t>{200, 200, 3}));
  }
}

}  // namespace
}  // namespace dubito
