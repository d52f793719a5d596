// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/file_kind.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

TEST(FileKindTest, GuessesFromNamesAndFolders) {
  const test::TempDir dir;
  EXPECT_EQ(guessFileKind(dir.path().string()), FileKind::kDataset);
  std::filesystem::create_directories(dir.path() / "study/runs");
  EXPECT_EQ(guessFileKind(dir.file("study")), FileKind::kDataset);
  test::writeBytes(dir.file("study/table.json"), "{}");
  EXPECT_EQ(guessFileKind(dir.file("study")), FileKind::kStudy);
  EXPECT_EQ(guessFileKind("a/net.PT"), FileKind::kModel);
  EXPECT_EQ(guessFileKind("a/net.ptl"), FileKind::kModel);
  EXPECT_EQ(guessFileKind("a/t10k-images-idx3-ubyte.gz"), FileKind::kDataset);
  EXPECT_EQ(guessFileKind("idx:a,b?items=0:10"), FileKind::kDataset);
  EXPECT_EQ(guessFileKind("run.npz"), FileKind::kPredictions);
  EXPECT_EQ(guessFileKind("p.csv"), FileKind::kPredictions);
  EXPECT_EQ(guessFileKind("cifar/data_batch_1.bin"), FileKind::kDataset);
  EXPECT_EQ(guessFileKind("cifar10:a.bin"), FileKind::kDataset);
  EXPECT_EQ(guessFileKind("tasks.JSON"), FileKind::kLabels);
  EXPECT_EQ(guessFileKind("metadata.jsonl"), FileKind::kLabels);
  EXPECT_EQ(guessFileKind("annotations.xml"), FileKind::kLabels);
  EXPECT_EQ(guessFileKind("review.labels"), FileKind::kLabels);
  EXPECT_EQ(guessFileKind("annotations:a.json,images"), FileKind::kLabels);
  EXPECT_EQ(guessFileKind("letter.txt"), FileKind::kUnknown);
}

TEST(FileKindTest, FindsPresetsAndStoriesByTheirContent) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.json"), R"({"format": "dubito-lab"})");
  EXPECT_EQ(guessFileKind(dir.file("a.json")), FileKind::kLab);
  test::writeBytes(dir.file("b.JSON"), R"({"format": "dubito-story"})");
  EXPECT_EQ(guessFileKind(dir.file("b.JSON")), FileKind::kLab);
  test::writeBytes(dir.file("c.json"), R"([{"label": "dubito-lab"}])");
  EXPECT_EQ(guessFileKind(dir.file("c.json")), FileKind::kLabels);
}

}  // namespace
}  // namespace dubito
