// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rank_share.h"

#include <algorithm>

namespace dubito {

std::vector<IndexRange> rankShare(std::span<const IndexRange> ranges, std::int64_t batch, int rank,
                                  int size) {
  const auto batchesOf = [batch](const IndexRange& range) {
    return (range.end - range.begin + batch - 1) / batch;
  };
  std::int64_t batches = 0;
  for (const IndexRange& range : ranges) {
    batches += batchesOf(range);
  }
  const std::int64_t first = batches * rank / size;
  const std::int64_t last = batches * (rank + 1) / size;
  std::vector<IndexRange> share;
  std::int64_t before = 0;  // batches of the previous ranges
  for (const IndexRange& range : ranges) {
    const std::int64_t from = std::max<std::int64_t>(first - before, 0);
    const std::int64_t to = std::min(last - before, batchesOf(range));
    if (from < to) {
      share.push_back({range.begin + from * batch, std::min(range.begin + to * batch, range.end)});
    }
    before += batchesOf(range);
  }
  return share;
}

}  // namespace dubito
