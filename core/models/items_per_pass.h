// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>

namespace dubito {

/// Numbers of items that a network's program runs on. A traced program may contain the batch size
/// of its example, and some programs lose the batch axis of a single item. More items run in
/// several passes, fewer are filled up with copies of the last one.
struct ItemsPerPass {
  std::int64_t min = 1;
  std::int64_t max = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] bool isFixed() const { return min == max; }
  [[nodiscard]] bool accepts(std::int64_t items) const { return items >= min && items <= max; }
  /// Whether any number of items can share a pass.
  [[nodiscard]] bool isUnlimited() const {
    return min <= 1 && max == std::numeric_limits<std::int64_t>::max();
  }
};

}  // namespace dubito
