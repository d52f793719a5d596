// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// The indices [begin, end).
struct IndexRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// The part of `ranges` that process `rank` out of `size` computes. Each range is divided into
/// batches of `batch` indices from its beginning; consecutive batches go to the same rank, and all
/// ranks get nearly the same number.
[[nodiscard]] std::vector<IndexRange> rankShare(std::span<const IndexRange> ranges,
                                                std::int64_t batch, int rank, int size);

}  // namespace dubito
