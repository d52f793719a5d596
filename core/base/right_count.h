// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// How many of some items were predicted right.
struct RightCount {
  std::int64_t items = 0;
  std::int64_t right = 0;

  friend bool operator==(const RightCount&, const RightCount&) = default;
};

}  // namespace dubito
