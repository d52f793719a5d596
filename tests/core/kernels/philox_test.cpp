// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/philox.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace dubito {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The published known answers of Random123 for philox4x32-10.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  constexpr std::uint32_t kOnes = 0xffffffffU;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(
      philox4x32({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
      (Block{0xd16cfe09U, 0x94fdcceb, 0x5001e420U, 0x24126ea1U}));
}

// The first outputs of the reference generator, whose state starts at 0 and grows by the golden
// increment.
TEST(SplitMix, KnownAnswers) {
  EXPECT_EQ(splitmix64(0), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(splitmix64(0x9E3779B97F4A7C15ULL), 0x6E789E6AA1B965F4ULL);
  EXPECT_EQ(splitmix64(2 * 0x9E3779B97F4A7C15ULL), 0x06C45D188009454FULL);
}

TEST(Philox, BlocksEqualOneByOne) {
  const std::array<std::uint32_t, 2> key{0x12345678U, 0x9abcdef0U};
  const std::array<std::uint32_t, 3> tail{7, 0xfffffff0U, 3};
  for (const std::int64_t blocks : {0, 1, 3, 4, 7, 8, 9, 16, 31, 128}) {
    for (const std::uint32_t first : {0U, 5U, 0xfffffffaU}) {
      std::vector<std::uint32_t> words(static_cast<std::size_t>(4 * blocks) + 1, 42U);
      philoxBlocks(key, first, tail, blocks, words.data());
      for (std::int64_t i = 0; i < blocks; ++i) {
        const Block expected =
            philox4x32({first + static_cast<std::uint32_t>(i), tail[0], tail[1], tail[2]}, key);
        for (std::size_t lane = 0; lane < 4; ++lane) {
          ASSERT_EQ(words[4 * static_cast<std::size_t>(i) + lane], expected[lane])
              << blocks << " blocks from " << first << ", block " << i;
        }
      }
      EXPECT_EQ(words.back(), 42U) << "written past the end";
    }
  }
}

TEST(SiteKey, NeighboursDiffer) {
  std::set<std::array<std::uint32_t, 2>> keys;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (std::int64_t site = 0; site < 20; ++site) {
      keys.insert(siteKey(seed, site));
    }
  }
  EXPECT_EQ(keys.size(), 2000U);
}

// theory, section 4: splitmix64(seed + 0x9E3779B97F4A7C15 (site + 1)), low word first.
TEST(SiteKey, IsSplitmixOfSeedAndSite) {
  const std::uint64_t key = splitmix64(11 + 3 * 0x9E3779B97F4A7C15ULL);
  EXPECT_EQ(siteKey(11, 2), (std::array<std::uint32_t, 2>{static_cast<std::uint32_t>(key),
                                                          static_cast<std::uint32_t>(key >> 32)}));
}

}  // namespace
}  // namespace dubito
