// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/split_folders.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

using Names = std::vector<std::string>;

/// A scan of a folder with these images.
FolderScan scanOf(Names images) {
  FolderScan scan;
  scan.images = std::move(images);
  return scan;
}

TEST(SplitFolders, AreRecognisedInAnySpelling) {
  for (const Names& splits : std::vector<Names>{{"test", "train", "val"},
                                                {"Test", "Train", "Valid"},
                                                {"TEST", "TRAIN"},
                                                {"testing", "training", "validation"},
                                                {"dev", "train"},
                                                {"seg_test", "seg_train"},
                                                {"test-images", "train-images"},
                                                {"testset", "trainset"},
                                                {"train2017", "val2017"},
                                                {"test set", "training set"},
                                                {"train"}}) {
    Names images;
    for (const std::string& split : splits) {
      images.push_back(split + "/cat/1.png");
      images.push_back(split + "/dog/1.png");
    }
    EXPECT_EQ(splitFolders(scanOf(images)), splits) << splits.front();
    // Without class folders they are no classes either.
    Names flat;
    for (const std::string& split : splits) {
      flat.push_back(split + "/1.png");
    }
    EXPECT_EQ(splitFolders(scanOf(flat)), splits) << splits.front();
  }
  // Folders that are often next to them.
  EXPECT_EQ(splitFolders(scanOf({"pred/1.png", "test/cat/1.png", "train/cat/1.png"})),
            (Names{"test", "train"}));
  EXPECT_EQ(splitFolders(scanOf({"more/cat/1.png", "test/cat/1.png", "train/cat/1.png"})),
            (Names{"test", "train"}));
}

TEST(SplitFolders, ClassesAreNot) {
  for (const Names& images : std::vector<Names>{{"bus/1.png", "car/1.png", "train/1.png"},
                                                {"control/1.png", "test/1.png"},
                                                {"invalid/1.png", "valid/1.png"},
                                                {"contest/1.png", "latest/1.png"},
                                                {"cat/train/1.png", "dog/train/1.png"},
                                                {"evaluator/1.png", "trainee/1.png"},
                                                {"1.png", "2.png"},
                                                {"validé/1.png", "trainé/1.png"},
                                                {}}) {
    EXPECT_EQ(splitFolders(scanOf(images)), Names{}) << (images.empty() ? "" : images.front());
  }
}

TEST(SplitFolders, TheSameFoldersInEveryClassAreNoted) {
  const auto note = sameFoldersNote(
      scanOf({"site1/cat/1.png", "site1/dog/1.png", "site2/cat/1.png", "site2/dog/1.png"}));
  ASSERT_TRUE(note);
  EXPECT_NE(note->find("the same folders (cat, dog)"), std::string::npos) << *note;
  EXPECT_FALSE(sameFoldersNote(scanOf({"cat/a/1.png", "cat/b/1.png", "dog/a/1.png"})));
  EXPECT_FALSE(sameFoldersNote(scanOf({"cat/1.png", "dog/1.png"})));
  EXPECT_FALSE(sameFoldersNote(scanOf({"cat/a/1.png", "cat/b/1.png"})));
}

}  // namespace
}  // namespace dubito
