// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "core/data/items/dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

TEST(Folder, ABuildWithoutOpenCvSaysWhatIsMissing) {
  const test::TempDir dir;
  RunContext context;
  const auto dataset = openDataset(dir.path().string(), context);
  ASSERT_FALSE(dataset);
  EXPECT_EQ(dataset.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(dataset.error().message, HasSubstr("cannot read photographs"));
  EXPECT_THAT(dataset.error().message, HasSubstr(dir.path().string()));
}

}  // namespace
}  // namespace dubito
