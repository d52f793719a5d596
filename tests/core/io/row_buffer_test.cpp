// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/row_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

std::vector<float> rowOf(std::int64_t row, std::int64_t width) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < width; ++i) {
    values.push_back(static_cast<float>(row * width + i));
  }
  return values;
}

Array<float> collected(std::int64_t rows, std::int64_t width, const RowPlace& place,
                       bool is_in_file) {
  auto buffer = RowBuffer::create(rows, width, place);
  EXPECT_OK(buffer);
  EXPECT_EQ(buffer->isInFile(), is_in_file);
  for (std::int64_t row = 0; row < rows; ++row) {
    EXPECT_OK(buffer->append(rowOf(row, width)));
  }
  RowBuffer moved = *std::move(buffer);
  auto array = moved.finish();
  EXPECT_OK(array);
  return *std::move(array);
}

TEST(RowBufferTest, ReturnsTheRowsFromMemoryAndFromAFile) {
  const test::TempDir folder;
  const std::int64_t width = 300;
  const std::int64_t rows = 7'001;  // several pieces, the last one not whole
  const std::int64_t bytes = rows * width * 4;
  for (const auto& [limit, is_in_file] :
       {std::pair<std::int64_t, bool>{0, false}, {bytes, false}, {bytes - 1, true}}) {
    const Array<float> array = collected(rows, width, {limit, folder.file("new/rows")}, is_in_file);
    ASSERT_EQ(array.shape(), (std::vector<std::int64_t>{rows, width}));
    for (const std::int64_t row : {std::int64_t{0}, rows / 2, rows - 1}) {
      EXPECT_TRUE(std::ranges::equal(array.row(row), rowOf(row, width))) << row;
    }
    if (is_in_file) {
      EXPECT_TRUE(std::filesystem::is_empty(folder.file("new/rows")));  // it has no name
    }
  }
}

TEST(RowBufferTest, MayHaveFewerRowsThanExpectedOrNone) {
  const test::TempDir folder;
  for (const std::int64_t limit : {0, 1}) {
    auto buffer = RowBuffer::create(10, 4, {limit, folder.path()});
    ASSERT_OK(buffer);
    EXPECT_OK(buffer->append(rowOf(0, 8)));
    EXPECT_EQ(buffer->finish()->shape(), (std::vector<std::int64_t>{2, 4}));
    auto empty = RowBuffer::create(10, 4, {limit, folder.path()});
    ASSERT_OK(empty);
    EXPECT_EQ(empty->finish()->shape(), (std::vector<std::int64_t>{0, 4}));
  }
}

TEST(RowBufferTest, SaysWhereItCannotWrite) {
  const test::TempDir folder;
  test::writeBytes(folder.file("file"), "");
  const auto buffer = RowBuffer::create(10, 4, {1, folder.file("file/rows")});
  ASSERT_FALSE(buffer);
  EXPECT_THAT(buffer.error().message, HasSubstr("file"));
}

}  // namespace
}  // namespace dubito
