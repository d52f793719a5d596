// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/signed_map.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace dubito {
namespace {

Image8 grey(std::int64_t height, std::int64_t width, std::uint8_t level) {
  return {Array<std::uint8_t>::fromVector(
      {height, width, 1},
      std::vector<std::uint8_t>(static_cast<std::size_t>(height * width), level))};
}

std::vector<int> pixelOf(const Image8& image, std::int64_t y, std::int64_t x) {
  const std::uint8_t* const at = image.pixels.data() + (y * image.width() + x) * 3;
  return {at[0], at[1], at[2]};
}

TEST(SignedMap, FullStrengthIsAQuantileThatIsNeverZero) {
  std::vector<float> values(1000, -1.0F);
  values[3] = 50.0F;
  EXPECT_EQ(fullValueOf(Array<float>::fromVector({10, 100}, values)), 1.0F);
  std::vector<float> single(1000, 0.0F);
  single[7] = -2.0F;
  EXPECT_EQ(fullValueOf(Array<float>::fromVector({10, 100}, single)), 2.0F);
  EXPECT_EQ(fullValueOf(Array<float>::zeros({2, 2})), 0.0F);
}

TEST(SignedMap, PixelsBecomeSquaresOfTheirColour) {
  const auto map = Array<float>::fromVector({1, 3}, {1.0F, -1.0F, 0.0F});
  const Image8 picture = signedMapPicture(map, grey(1, 3, 255), 4);
  EXPECT_EQ(picture.pixels.shape(), (std::vector<std::int64_t>{4, 12, 3}));
  EXPECT_EQ(pixelOf(picture, 3, 0), (std::vector<int>{0xD5, 0x30, 0x0A}));
  EXPECT_EQ(pixelOf(picture, 0, 7), (std::vector<int>{0x0A, 0x50, 0xD5}));
  EXPECT_EQ(pixelOf(picture, 1, 8), (std::vector<int>{216, 216, 216}));
  EXPECT_EQ(pixelOf(signedMapPicture(map, grey(1, 3, 0), 1), 0, 2), (std::vector<int>{56, 56, 56}));
}

TEST(SignedMap, RefusesAPictureOfAnotherSize) {
  EXPECT_THROW((void)signedMapPicture(Array<float>::zeros({2, 3}), grey(3, 2, 0), 1),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
