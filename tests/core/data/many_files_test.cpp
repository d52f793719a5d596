// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/data/items/dataset.h"
#include "core/data/sources/folder_scan.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFolders = 100;
constexpr std::int64_t kFilesEach = 1000;

/// Writes 100 000 empty files in class folders below images/, and list.csv, a manifest of them.
void writeManyFiles(const test::TempDir& dir) {
  std::ofstream manifest(dir.file("list.csv"));
  manifest << "path,label,camera,temperature\n";
  for (std::int64_t folder = 0; folder < kFolders; ++folder) {
    const std::string name = "class" + std::to_string(100 + folder);
    const fs::path path = dir.path() / "images" / name;
    fs::create_directories(path);
    test::writeBytes(path / "100000.jpg", "");
    for (std::int64_t file = 0; file < kFilesEach; ++file) {
      const std::string image = std::to_string(100000 + file) + ".jpg";
      if (file > 0) {
        // Many names of one file are as good as many files, and quicker to make.
        fs::create_hard_link(path / "100000.jpg", path / image);
      }
      manifest << "images/" << name << '/' << image << ',' << name << ",camera " << file % 7 << ','
               << file << '\n';
    }
  }
}

DatasetPtr open(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset(spec, context);
  EXPECT_OK(dataset);
  return dataset.value_or(nullptr);
}

/// Cancels at a step behind the first, to see that it is not the only one.
void expectCancelledInside(const std::string& spec) {
  RunContext context;
  std::int64_t furthest = 0;
  context.on_progress = [&](const Progress& progress) {
    furthest = std::max(furthest, progress.done);
    if (progress.done > 0) {
      context.control()->requestCancel();
    }
  };
  const auto dataset = openDataset(spec, context);
  ASSERT_FALSE(dataset) << spec;
  EXPECT_EQ(dataset.error().code, ErrorCode::kCancelled);
  EXPECT_GT(furthest, 0) << spec;
}

TEST(ManyFiles, AHundredThousandImagesOpenWithoutBeingRead) {
  const test::TempDir dir;
  writeManyFiles(dir);
  const DatasetPtr folder = open("folder:" + dir.file("images"));
  ASSERT_NE(folder, nullptr);
  ASSERT_EQ(folder->size(), kFolders * kFilesEach);
  EXPECT_EQ(folder->itemName(54321), "class154/100321.jpg");
  EXPECT_EQ(folder->ids()[54321], pathId("class154/100321.jpg"));
  EXPECT_EQ(folder->labels()[54321], 54);

  const DatasetPtr manifest = open("csv:" + dir.file("list.csv"));
  ASSERT_NE(manifest, nullptr);
  ASSERT_EQ(manifest->size(), kFolders * kFilesEach);
  EXPECT_EQ(manifest->ids()[54321], pathId("images/class154/100321.jpg"));
  EXPECT_EQ(manifest->labels()[54321], 54);
  ASSERT_EQ(manifest->attributes().size(), 2U);
  EXPECT_EQ(manifest->attributes()[0].text(54321), "camera 6");
  EXPECT_EQ((*manifest->attributes()[1].numbers())[54321], 321.0);

  expectCancelledInside("folder:" + dir.file("images"));
  expectCancelledInside("csv:" + dir.file("list.csv"));
}

}  // namespace
}  // namespace dubito
