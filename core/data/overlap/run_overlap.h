// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/run_context.h"
#include "core/data/overlap/overlap_check.h"
#include "core/io/run.h"

namespace dubito {

/// The number of items that two runs share, as far as it can be determined.
struct RunOverlap {
  /// `same` is determined by source and id, `alike` by the content of rows.
  SharedItems shared;
  /// Why shared items may have been missed, as a clause for a note; empty if none can have been
  /// missed.
  std::string doubt;
};

/// Compares the items of two runs that should be disjoint: `fitted` and `evaluated`. Runs on the
/// same files are compared by ids (sharedItems). Other runs, such as predictions of other programs
/// and runs on a copy of the data, are compared by content: label and probabilities (or logits) of
/// each row, regardless of position. Chance matches, due to rounding or saturation, are expected as
/// often within a run as between runs, and are subtracted; the number of shared items is thus a
/// lower bound. Takes O(N K). Fails with kCancelled.
[[nodiscard]] Expected<RunOverlap> findOverlap(const Run& fitted, const Run& evaluated,
                                               RunContext& context);

}  // namespace dubito
