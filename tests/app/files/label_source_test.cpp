// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/label_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <variant>

#include "core/data/pixels/image_file.h"
#include "core/io/run_needs.h"
#include "core/labels/label_store.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

class LabelSources : public testing::Test {
 protected:
  std::string write(const std::string& path, const std::string& bytes) {
    const std::filesystem::path file = dir_.path() / path;
    std::filesystem::create_directories(file.parent_path());
    test::writeBytes(file, bytes);
    return file.string();
  }
  bool isLabels(const std::string& path) { return isLabelSource(path, context_); }

  test::TempDir dir_;
  RunContext context_;
};

TEST_F(LabelSources, AreTablesOfImagesWithScoresAndFilesOfOtherPrograms) {
  const std::string scored = write("a/scored.csv", "file,label,score\na.png,cat,0.5\n");
  const std::string plain = write("a/plain.csv", "file,label\na.png,cat\n");
  const std::string probs = write("a/probs.csv", "label,prob_0,prob_1\n0,0.25,0.75\n");
  write("a/a.png", "image");
  EXPECT_TRUE(isLabels(scored));
  EXPECT_FALSE(isLabels(plain));
  EXPECT_FALSE(isLabels(probs));
  // Label Studio, whose paths are those of its server, and Roboflow.
  EXPECT_TRUE(isLabels(
      write("a/project.csv", "annotator,choice,id,image\n1,cat,1,/data/upload/1/a.png\n")));
  EXPECT_TRUE(isLabels(write("a/_classes.csv", "filename, cat, dog\na.png, 1, 0\n")));
  EXPECT_TRUE(isLabels(write("a/truth.csv", "filename,cat,dog\na.png,True,False\n")));
  EXPECT_FALSE(isLabels(write("a/elsewhere.csv", "filename,cat,dog\nb.png,1,0\n")));
  EXPECT_FALSE(isLabels(write("a/sure.csv", "filename,cat,dog\na.png,0.9,0.1\n")));
  EXPECT_FALSE(isLabels(dir_.file("a")));
  // labelme: an image and its file.
  write("b/a.png", "image");
  write("b/a.json", R"({"version": "5.0", "flags": {"cat": true}, "shapes": [],
                        "imagePath": "a.png", "imageData": null})");
  EXPECT_TRUE(isLabels(dir_.file("b")));
  write("c/cat/a.png", "image");
  write("c/dog/b.png", "image");
  EXPECT_FALSE(isLabels(dir_.file("c")));  // classes are a dataset, unless labels are asked for
  EXPECT_TRUE(canBeLabels(dir_.file("c")));
  EXPECT_TRUE(canBeLabels(plain));
  EXPECT_FALSE(canBeLabels(dir_.file("net.pt2")));
  EXPECT_FALSE(canBeLabels(dir_.file("run.npz")));
}

TEST_F(LabelSources, AFileAndAFolderAreLabelsAndTheirImages) {
  write("images/a.png", "image");
  const std::string labels = write("labels.json", "[]");
  const auto of = [](const std::string& path) {
    return OpenRequest{path, FileKind::kUnknown, false, {}};
  };
  for (const bool folder_first : {true, false}) {
    std::vector<OpenRequest> both = {of(dir_.file("images")), of(labels)};
    if (!folder_first) {
      std::swap(both[0], both[1]);
    }
    const auto joined = withTheirImages(both, context_);
    ASSERT_EQ(joined.size(), 1U);
    EXPECT_EQ(joined[0].specification, "annotations:" + labels + "," + dir_.file("images"));
    EXPECT_EQ(joined[0].kind, FileKind::kLabels);
  }
  // Nobody knows which folder belongs to which file.
  EXPECT_EQ(withTheirImages({of(labels), of(labels), of(dir_.file("images"))}, context_).size(),
            3U);
  EXPECT_EQ(withTheirImages({of(labels)}, context_).size(), 1U);
  const auto apart = withTheirImages({of("net.pt2"), of(dir_.file("images"))}, context_);
  EXPECT_EQ(apart.size(), 2U);
}

TEST_F(LabelSources, AStoreGivesTheLabelsOfItsImagesAndIsGoneOnIn) {
  const std::string place = dir_.file("moons.labels");
  const std::string spec = "synthetic:moons?n=20&seed=1";
  {
    const auto store = LabelStore::open(place, StoreMode::kOpenOrCreate);
    ASSERT_OK(store);
    ASSERT_OK((*store)->belongTo({.name = "moons", .spec = spec, .fingerprint = {}},
                                 std::vector<std::string>{"0", "1"}));
  }
  const auto opened = openLabels(place, context_);
  ASSERT_OK(opened);
  const auto& run = std::get<OpenedRun>(*opened);
  EXPECT_EQ(run.store, place);
  EXPECT_TRUE(run.is_repeatable);
  EXPECT_EQ(run.run->meta.method, kLabelsMethod);
  EXPECT_EQ(run.run->itemCount(), 20);
  EXPECT_EQ(run.dataset->info().spec, spec);
}

TEST_F(LabelSources, AnEmptyStoreSaysWhatToOpenInstead) {
  const std::string place = dir_.file("empty.labels");
  ASSERT_OK(LabelStore::open(place, StoreMode::kOpenOrCreate));
  const auto refused = openLabels(place, context_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("does not know yet which images"));
  EXPECT_FALSE(refused.error().remedy.needs_images);
}

TEST_F(LabelSources, AStoreWhoseImagesAreGoneNeedsTheirFolder) {
  const std::string place = dir_.file("moved.labels");
  {
    const auto store = LabelStore::open(place, StoreMode::kOpenOrCreate);
    ASSERT_OK(store);
    ASSERT_OK((*store)->belongTo(
        {.name = "moved", .spec = "npz:" + dir_.file("moved away.npz"), .fingerprint = {}},
        std::vector<std::string>{"0", "1"}));
  }
  const auto refused = openLabels(place, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotFound) << refused.error().message;
  EXPECT_TRUE(refused.error().remedy.needs_images);
}

}  // namespace
}  // namespace dubito
