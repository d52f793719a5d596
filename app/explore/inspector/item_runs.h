// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "app/session/session.h"
#include "widgets/item_runs_table.h"

namespace dubito {

/// The result for an item in one of the session's analyses.
struct ItemInRun {
  std::size_t position = 0;  ///< index into Session::analyses()
  ItemRef item;              ///< the item within that analysis
  ItemRunRow row;
};

/// The results for the primary item in all analyses that contain it, the active one first.
/// O(runs log N).
[[nodiscard]] std::vector<ItemInRun> primaryInAllRuns(const Session& session);

}  // namespace dubito
