// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

TEST(Counted, OnlyOneIsSingular) {
  EXPECT_EQ(counted(0, "label"), "0 labels");
  EXPECT_EQ(counted(1, "label"), "1 label");
  EXPECT_EQ(counted(2, "label"), "2 labels");
  EXPECT_EQ(counted(1, "item keeps", "items keep"), "1 item keeps");
  EXPECT_EQ(counted(21, "item keeps", "items keep"), "21 items keep");
}

}  // namespace
}  // namespace dubito
