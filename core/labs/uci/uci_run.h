// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/uci/uci_result.h"

namespace dubito {

/// The published protocol for one split: trains with every candidate of the method on four fifths
/// of the training items, chooses the one under which the other fifth is most likely, trains again
/// on all training items and scores the test items. Depends on (data, method, split, options, seed)
/// alone. kCancelled; else the reason why a training diverged.
[[nodiscard]] Expected<UciResult> runUciSplit(const UciData& data, const UciMethodInfo& method,
                                              std::int64_t split, const UciOptions& options,
                                              std::uint64_t seed, const RunContext& context);

/// Which results to compute.
struct UciPlan {
  std::string data_folder;
  std::string result_folder;
  std::vector<std::string> sets;     ///< keys
  std::vector<std::string> methods;  ///< keys
  std::int64_t splits = 0;           ///< the first so many of each set; 0: all
  /// Goes on in a folder with results: those computed with the same options and seed are kept.
  bool resume = false;
  /// Share of this process: results number `part`, `part` + `parts`, ... of the plan.
  std::int64_t part = 0;
  std::int64_t parts = 1;
};

/// Computes the results of a plan, splits in parallel, and writes one file each (uciResultPath) as
/// soon as it is there. Returns how many were computed. Stopping early finishes the splits that are
/// being computed and keeps them; cancelling drops them. kInvalidArgument for unknown keys, if
/// results exist and `resume` is false, or if they were computed with other options.
[[nodiscard]] Expected<std::int64_t> runUci(const UciPlan& plan, const UciOptions& options,
                                            RunContext& context);

}  // namespace dubito
