// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "core/data/items/dataset.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

TEST(Folder, aBuildWithoutOpenCvSaysWhatIsMissing) {
  const test::TempDir dir;
  RunContext context;
  const auto dataset = openDataset(dir.path().string(), context);
  ASSERT_FALSE(dataset);
  EXPECT_EQ(dataset.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(dataset.error().message.find("cannot read photographs"), std::string::npos);
  EXPECT_NE(dataset.error().message.find(dir.path().string()), std::string::npos);
}

}  // namespace
}  // namespace dubito
