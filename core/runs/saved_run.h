// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/io/run.h"

namespace dubito {

/// A saved run.
struct SavedRun {
  RunMeta meta;
  std::int64_t items = 0;
  std::int64_t classes = 0;
  std::int64_t resumed_items = 0;  ///< reused from parts of an earlier call
  int parts_ignored = 0;           ///< incomplete or damaged; computed again
};

}  // namespace dubito
