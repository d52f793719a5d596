// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/sample_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace dubito {
namespace {

Image8 image(std::vector<std::int64_t> shape, std::uint8_t first) {
  Image8 made{Array<std::uint8_t>::zeros(std::move(shape))};
  made.pixels.mutableData()[0] = first;
  return made;
}

TEST(SampleHash, EveryPixelAndTheShapeCount) {
  std::set<std::string> hashes;
  Image8 changed = image({5, 3, 1}, 7);
  hashes.insert(sampleHash(changed));
  for (std::int64_t i = 0; i < changed.pixels.size(); ++i) {
    changed.pixels.mutableData()[i] += 1;
    EXPECT_TRUE(hashes.insert(sampleHash(changed)).second) << i;
  }
  EXPECT_TRUE(hashes.insert(sampleHash(image({3, 5, 1}, 7))).second);
  EXPECT_TRUE(hashes.insert(sampleHash(image({16, 1, 1}, 7))).second);
  EXPECT_TRUE(hashes.insert(sampleHash(Array<float>::zeros({5, 3, 1}))).second);
}

TEST(SampleHash, IsThatOfTheContentAlone) {
  EXPECT_EQ(sampleHash(image({4, 4, 3}, 9)), sampleHash(image({4, 4, 3}, 9)));
  // Stored in label files: it must be the same in later versions.
  EXPECT_EQ(sampleHash(image({2, 2, 1}, 1)), "38d3d291b8bb33e6");
}

}  // namespace
}  // namespace dubito
