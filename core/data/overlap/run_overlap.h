// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/run_context.h"
#include "core/data/overlap/shared_items.h"
#include "core/io/run.h"

namespace dubito {

/// What can be found out about the items that two runs share.
struct RunOverlap {
  /// `same` by source and id, `alike` by the content of the rows.
  SharedItems shared;
  /// Why shared items may have been missed, in a clause for a note; empty: they cannot have been.
  std::string doubt;
};

/// Compares the items of two runs that are to be apart: `fitted` and `evaluated`. Runs over the
/// same files are compared by ids (sharedItems). All others, such as predictions of other programs
/// and runs over a copy of the data, by content: label and probabilities (or logits) of each row,
/// wherever it stands. Rows that coincide by chance, because they are rounded or saturated, are
/// expected to do so within a run as often as between runs, and are subtracted; so the number of
/// shared items is a lower bound. O(N K). kCancelled.
[[nodiscard]] Expected<RunOverlap> overlapOf(const Run& fitted, const Run& evaluated,
                                             RunContext& context);

}  // namespace dubito
