// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rank_share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace dubito {
namespace {

TEST(RankShare, SharesAreWholeBatchesNearlyEqualAndCoverAll) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t batch = 1 + static_cast<std::int64_t>(random() % 50);
    const int size = 1 + static_cast<int>(random() % 7);
    std::vector<IndexRange> ranges;
    std::int64_t from = 0;
    for (std::uint32_t n = random() % 4; n > 0; --n) {
      from += batch * static_cast<std::int64_t>(random() % 5 + 1);
      const std::int64_t end = from + 1 + static_cast<std::int64_t>(random() % 400);
      ranges.push_back({from, end});
      from = (end / batch + 1) * batch;
    }
    std::vector<IndexRange> all;
    std::int64_t fewest = INT64_MAX;
    std::int64_t most = 0;
    for (int rank = 0; rank < size; ++rank) {
      std::int64_t batches = 0;
      for (const IndexRange& range : rankShare(ranges, batch, rank, size)) {
        EXPECT_LT(range.begin, range.end);
        batches += (range.end - range.begin + batch - 1) / batch;
        if (!all.empty() && all.back().end == range.begin) {
          all.back().end = range.end;
        } else {
          all.push_back(range);
        }
        bool on_boundary = false;
        for (const IndexRange& whole : ranges) {
          on_boundary = on_boundary || (range.begin >= whole.begin && range.end <= whole.end &&
                                        (range.begin - whole.begin) % batch == 0);
        }
        EXPECT_TRUE(on_boundary);
      }
      fewest = std::min(fewest, batches);
      most = std::max(most, batches);
    }
    EXPECT_EQ(all, ranges);
    EXPECT_LE(most - fewest, 1);
  }
}

}  // namespace
}  // namespace dubito
