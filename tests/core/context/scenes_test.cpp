// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scenes.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/data/sources/folder_scan.h"
#include "tests/core/context/refusals.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Rows = std::vector<std::int64_t>;

Run runOfIds(std::vector<std::int64_t> ids) {
  dubito::Run run = test::randomRun(std::ssize(ids), 3, 1.0, 1, true, false);
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  return run;
}

class ReadScenes : public testing::Test {
 protected:
  Expected<Scenes> read(const std::string& text, const dubito::Run& run,
                        const std::string& column = "scene") {
    std::ofstream(path_) << text;
    RunContext context;
    return readScenes(path_, column, run, context);
  }

  test::TempDir folder_;
  std::string path_ = folder_.file("scenes.csv");
};

TEST_F(ReadScenes, JoinsOnIdsAndTellsWhoIsLeftOut) {
  const auto scenes =
      read("scene,id\nkitchen,7\nyard,3\nkitchen,5\n,9\nattic,1000\nyard,4\nyard,2\n",
           runOfIds({2, 3, 5, 7, 9, 11}));
  ASSERT_OK(scenes);
  EXPECT_EQ(scenes->names, (std::vector<std::string>{"yard", "kitchen"}));
  EXPECT_EQ(scenes->members, (std::vector<Rows>{{0, 1}, {2, 3}}));
  EXPECT_EQ(scenes->of_row, (Rows{0, 0, 1, 1, -1, -1}));
  EXPECT_EQ(scenes->inCompany(), 4);
  EXPECT_EQ(scenes->largest(), 2);
  EXPECT_EQ(scenes->source, path_);
  ASSERT_EQ(scenes->notes.size(), 2U);
  EXPECT_THAT(scenes->notes[0], HasSubstr("2 of 6 items without a scene"));
  EXPECT_THAT(scenes->notes[1], HasSubstr("2 rows of"));
}

TEST_F(ReadScenes, ASceneOfOneIsNoCompany) {
  const auto scenes = read("id,scene\n1,a\n2,b\n3,a\n", runOfIds({1, 2, 3}));
  ASSERT_OK(scenes);
  EXPECT_EQ(scenes->inCompany(), 2);
  EXPECT_EQ(scenes->of_row, (Rows{0, 1, 0}));
  EXPECT_TRUE(scenes->notes.empty());
}

TEST_F(ReadScenes, TakesAnotherColumnAndPaths) {
  const dubito::Run run = runOfIds({pathId("a/1.png"), pathId("a/2.png"), pathId("b/1.png")});
  const auto scenes =
      read("path,label,room\n./a/1.png,cat,k\na//2.png,dog,k\nb/1.png,cat,\n", run, "room");
  ASSERT_OK(scenes);
  EXPECT_EQ(scenes->of_row, (Rows{0, 0, -1}));
}

TEST_F(ReadScenes, NamesFileLineAndRemedy) {
  test::expectRefused(
      {
          {"id,room\n1,a\n", {"line 1", "'scene'"}},
          {"name,scene\n1,a\n", {"line 1", "neither a column id nor a column path"}},
          {"id,scene\n1,a\nx,a\n", {"line 3", "the id 'x'"}},
          {"id,scene\n1,a\n2,a\n1,b\n", {"'1' is in lines 2 and 4"}},
          {"id,scene\n1,a\n2,a\n1,a\n", {"'1' is in lines 2 and 4"}},
          {"id,scene\n8,a\n9,a\n", {"none of its 2 rows"}},
          {"id,scene\n", {"none of its 0 rows"}},
          {"path,scene\n8,a\n", {"none of its 1 row", "paths of the images"}},
          {"id,scene\n1\n", {"line 2 has 1 values"}},
          {"id,scene\n1,\"a\n", {"never closed"}},
      },
      path_, [this](const std::string& text) {
        return read(text, runOfIds({1, 2, 3}));
      });
}

/// Files that are never opened.
class PathsOnly : public Dataset {
 public:
  explicit PathsOnly(std::vector<std::string> paths) : paths_(std::move(paths)) {
    for (const std::string& path : paths_) {
      ids_.push_back(pathId(path));
    }
    labels_.resize(paths_.size(), -1);
    info_.name = "photos";
  }
  const DatasetInfo& info() const override { return info_; }
  std::int64_t size() const override { return std::ssize(paths_); }
  std::span<const std::int64_t> ids() const override { return ids_; }
  std::span<const std::int64_t> labels() const override { return labels_; }
  std::string itemName(std::int64_t index) const override {
    return paths_[static_cast<std::size_t>(index)];
  }
  Expected<Sample> read(std::int64_t /*index*/) const override {
    return fail(ErrorCode::kReadFailed, "not opened");
  }

 private:
  std::vector<std::string> paths_;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  DatasetInfo info_;
};

TEST(ScenesOfFolders, AFolderIsAScene) {
  const PathsOnly dataset({"k/1.png", "k/2.png", "y/d/1.png", "3.png", "4.png"});
  dubito::Run run = runOfIds({pathId("y/d/1.png"), pathId("k/2.png"), pathId("4.png"),
                              pathId("k/1.png"), pathId("3.png"), 17});
  run.labels = Array<std::int64_t>::fromVector({0, 1, 1, 2, 0, 0});
  const auto scenes = scenesOfFolders(dataset, run);
  ASSERT_OK(scenes);
  EXPECT_EQ(scenes->names, (std::vector<std::string>{"y/d", "k", "."}));
  EXPECT_EQ(scenes->of_row, (Rows{0, 1, 2, 1, 2, -1}));
  EXPECT_EQ(scenes->source, "folders of photos");
  EXPECT_THAT(scenes->notes.at(0), HasSubstr("1 of 6 items without a scene"));
}

TEST(ScenesOfFolders, RefusesFoldersThatNameTheClass) {
  const PathsOnly dataset({"cat/1.png", "cat/2.png", "dog/1.png", "dog/2.png"});
  dubito::Run run = runOfIds(
      {pathId("cat/1.png"), pathId("cat/2.png"), pathId("dog/1.png"), pathId("dog/2.png")});
  run.labels = Array<std::int64_t>::fromVector({0, 0, 1, 1});
  const auto refused = scenesOfFolders(dataset, run);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("photos: each folder holds images of one class"));
  run.labels = Array<std::int64_t>::fromVector({0, 1, 1, 1});
  EXPECT_OK(scenesOfFolders(dataset, run));
  run.labels = Array<std::int64_t>::fromVector({-1, -1, -1, -1});
  EXPECT_OK(scenesOfFolders(dataset, run));
}

TEST(ScenesOfFolders, RefusesItemsWithoutFiles) {
  const PathsOnly dataset({"#0", "#1"});
  const auto refused = scenesOfFolders(dataset, runOfIds({pathId("#0"), pathId("#1")}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("not files in folders"));
}

}  // namespace
}  // namespace dubito
