// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/item_hash.h"

#include <gtest/gtest.h>

#include "core/data/items/sample_hash.h"
#include "core/data/sources/array_dataset.h"
#include "core/data/sources/dataset_view.h"
#include "core/data/sources/folder_dataset.h"
#include "core/data/sources/relabelled_dataset.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

DatasetPtr folderOf(const test::TempDir& dir) {
  return std::make_shared<const FolderDataset>(
      DatasetInfo{}, dir.path().string(), std::vector<std::string>{"a.jpg", "b.jpg", "c.jpg"},
      std::vector<std::int64_t>{0, 1, 1}, std::vector<std::int64_t>{10, 11, 12});
}

TEST(ItemHash, IsThatOfTheBytesOfItsFile) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.jpg"), "one, which is no image");
  test::writeBytes(dir.file("b.jpg"), "two");
  const DatasetPtr folder = folderOf(dir);
  const std::string a = itemHash(*folder, 0).value();
  const std::string b = itemHash(*folder, 1).value();
  EXPECT_TRUE(a.starts_with("file:")) << a;
  EXPECT_NE(a, b);
  // Stored in label files: it must be the same in later versions.
  EXPECT_EQ(b, "file:495a7abd09f49b74");
  // Of the item, wherever it stands and whatever it is called.
  const DatasetPtr view = std::make_shared<const DatasetView>(
      std::make_shared<const RelabelledDataset>(folder, std::vector<std::int64_t>{1, 0, 0},
                                                DatasetInfo{}),
      std::vector<std::int64_t>{1}, DatasetInfo{});
  EXPECT_EQ(itemHash(*view, 0).value(), b);
  test::writeBytes(dir.file("b.jpg"), "twO");
  EXPECT_NE(itemHash(*folder, 1).value(), b);
  EXPECT_EQ(itemHash(*folder, 2).error().code, ErrorCode::kNotFound);
}

TEST(ItemHash, OfAnItemWithoutAFileIsThatOfItsNumbers) {
  auto values = Array<float>::zeros({2, 3});
  values.mutableData()[4] = 1.0F;
  const ArrayDataset items({}, values, {0, 1});
  EXPECT_EQ(itemHash(items, 1).value(), sampleHash(items.read(1).value()));
  EXPECT_NE(itemHash(items, 0).value(), itemHash(items, 1).value());
}

}  // namespace
}  // namespace dubito
