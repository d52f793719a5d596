// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "app/session/session.h"
#include "widgets/item_runs_table.h"

namespace dubito {

/// An item in one of the session's analyses.
struct ItemInRun {
  std::size_t position = 0;  ///< index of the analysis
  ItemRef item;              ///< item within that analysis
  ItemRunRow row;
};

/// The primary item in every analysis that contains it, the active one first. O(runs log N).
[[nodiscard]] std::vector<ItemInRun> primaryInAllRuns(const Session& session);

}  // namespace dubito
