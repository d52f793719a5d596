// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/data/items/dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Files = std::vector<std::string>;

Files filesOf(const std::string& specification) {
  const auto files = datasetFiles(specification);
  EXPECT_TRUE(files) << (files ? "" : files.error().message);
  return files.value_or(Files{});
}

std::string with(const std::string& specification, const Files& files) {
  const auto text = withDatasetFiles(specification, files);
  EXPECT_TRUE(text) << (text ? "" : text.error().message);
  return text.value_or("");
}

TEST(DatasetFiles, AreThePathsOfEachKind) {
  EXPECT_EQ(filesOf("idx:/a/images.gz,/a/labels.gz?items=0:60&role=test"),
            (Files{"/a/images.gz", "/a/labels.gz"}));
  EXPECT_EQ(filesOf("idx:/a/images.gz"), Files{"/a/images.gz"});
  EXPECT_EQ(filesOf("folder:/a/b?labels=prefix:3"), Files{"/a/b"});
  EXPECT_EQ(filesOf("npz:/a/b.npz?split=test"), Files{"/a/b.npz"});
  EXPECT_EQ(filesOf("csv:/a/b.csv"), Files{"/a/b.csv"});
  EXPECT_EQ(filesOf("synthetic:glyphs?n=20&seed=3"), Files{});
  EXPECT_FALSE(datasetFiles("nonsense:/a"));
}

TEST(DatasetFiles, ACommaInAPathIsToldFromOneBetweenPathsWhereTheFilesAreThere) {
  const test::TempDir dir;
  for (const char* const name : {"a,b.bin", "c.bin", "x,y.gz", "l,m.gz"}) {
    test::writeBytes(dir.file(name), "x");
  }
  EXPECT_EQ(filesOf("cifar10:" + dir.file("a,b.bin") + "," + dir.file("c.bin")),
            (Files{dir.file("a,b.bin"), dir.file("c.bin")}));
  EXPECT_EQ(filesOf("idx:" + dir.file("x,y.gz") + "," + dir.file("l,m.gz") + "?name=a,b"),
            (Files{dir.file("x,y.gz"), dir.file("l,m.gz")}));
}

TEST(DatasetFiles, APlainPathIsLookedInto) {
  const test::TempDir dir;
  EXPECT_EQ(filesOf(dir.path().string() + "?role=ood"), Files{dir.path().string()});
}

TEST(DatasetFiles, OthersTakeTheirPlaceAndTheRestStays) {
  EXPECT_EQ(with("idx:i.gz,l.gz?items=0:60&name=digits", {"/x/i.gz", "/x/l.gz"}),
            "idx:/x/i.gz,/x/l.gz?items=0:60&name=digits");
  EXPECT_EQ(with("folder:a?labels=prefix:3&role=ood", {"/b c/a"}),
            "folder:/b c/a?labels=prefix:3&role=ood");
  EXPECT_EQ(with("synthetic:glyphs?n=20", {}), "synthetic:glyphs?n=20");
  EXPECT_FALSE(withDatasetFiles("synthetic:glyphs?n=20", {"/a"}));
  EXPECT_FALSE(withDatasetFiles("folder:a", {}));
}

TEST(DatasetFiles, ADatasetWhoseFilesMovedOpensAtTheirNewPlace) {
  const test::TempDir dir;
  const std::string base = (test::sourceDir() / "datasets/samples/kmnist-1000").string();
  const std::string specification =
      "idx:" + base + "-images-idx3-ubyte.gz," + base + "-labels-idx1-ubyte.gz?items=10:30";
  Files moved;
  for (const std::string& file : filesOf(specification)) {
    moved.push_back(dir.file("moved," + std::filesystem::path(file).filename().string()));
    std::filesystem::copy_file(file, moved.back());
  }
  RunContext context;
  const auto dataset = openDataset(with(specification, moved), context);
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->size(), 20);
  EXPECT_EQ((*dataset)->ids().front(), 10);
  EXPECT_EQ(filesOf((*dataset)->info().spec), moved);
}

}  // namespace
}  // namespace dubito
