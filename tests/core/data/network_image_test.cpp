// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/network_image.h"
#include "tests/support/matchers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dubito {
namespace {

TEST(NetworkImage, UndoesScalingNormalisationAndChannelOrder) {
  Image8 bytes{Array<std::uint8_t>::fromVector({1, 2, 3}, {10, 20, 30, 0, 128, 255})};
  Preprocessing preprocessing;
  preprocessing.channel_order = "bgr";
  preprocessing.mean = {0.5, 0.4, 0.3};
  preprocessing.std = {0.2, 0.3, 0.1};
  const auto seen = toNetworkImage(bytes, preprocessing);
  ASSERT_OK(seen);
  EXPECT_TRUE(std::ranges::equal(seen->pixels.values(), bytes.pixels.values()));
  EXPECT_EQ(seen->pixels.shape(), bytes.pixels.shape());

  // One mean for all channels, and grey: 0.299 R + 0.587 G + 0.114 B.
  preprocessing.channels = 1;
  preprocessing.channel_order = "rgb";
  preprocessing.mean = {0.1307};
  preprocessing.std = {0.3081};
  const auto grey = toNetworkImage(bytes, preprocessing);
  ASSERT_TRUE(grey);
  EXPECT_EQ(grey->channels(), 1);
  EXPECT_EQ(grey->pixels.data()[0], 18);
  EXPECT_EQ(grey->pixels.data()[1], 104);
}

TEST(NetworkImage, ShowsWhatResizingAndCroppingLeave) {
  // 2 x 6: the shorter side stays, the centre crop of 2 x 2 takes columns 2 and 3.
  Image8 wide{
      Array<std::uint8_t>::fromVector({2, 6, 1}, {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16})};
  Preprocessing preprocessing;
  preprocessing.height = 2;
  preprocessing.width = 2;
  preprocessing.resize = "shorter-side";
  const auto seen = toNetworkImage(wide, preprocessing);
  ASSERT_OK(seen);
  EXPECT_EQ(seen->pixels.shape(), (std::vector<std::int64_t>{2, 2, 1}));
  EXPECT_EQ(seen->pixels.data()[0], 3);
  EXPECT_EQ(seen->pixels.data()[3], 14);

  // Reals are stretched as for toDisplayImage; vectors have no picture.
  preprocessing = {};
  preprocessing.scale = 2.0;
  preprocessing.mean = {1.0};
  const auto reals = toNetworkImage(Array<float>::fromVector({1, 3, 1}, {-1, 0, 1}), preprocessing);
  ASSERT_OK(reals);
  EXPECT_EQ(reals->pixels.data()[0], 0);
  EXPECT_EQ(reals->pixels.data()[2], 255);
  EXPECT_FALSE(toNetworkImage(Array<float>::fromVector({3}, {1, 2, 3}), {}));
}

}  // namespace
}  // namespace dubito
