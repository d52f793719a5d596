// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/inference/runs/predict_to_file.h"
#include "core/io/run.h"

namespace dubito {

/// A member of an ensemble and its name in messages.
struct EnsembleMember {
  std::string name;
  Run run;
};

/// Joins runs over the same items into one by averaging probabilities, never logits. The members
/// act as its draws, so that the mutual information measures their disagreement; if every member
/// stores the same number of draws, all draws of all members are used. Draws are stored as in
/// PredictOptions::keep_samples_mb.
struct EnsembleOptions {
  std::int64_t keep_samples_mb = 1024;
  /// Bytes of results held in memory at a time.
  std::int64_t part_bytes = std::int64_t{2} << 20;
  std::vector<std::string> notes = {};  ///< about the members, for the run's notes
};

/// Writes the ensemble to the run file `path`, with the items in the order of the first member. The
/// members' files are memory-mapped, so memory grows by at most 8 bytes per item for each member
/// whose items are in another order. kInvalidArgument, naming the member, if ids, classes or labels
/// differ from the first member's, for fewer than two members, and for a member without
/// probabilities; kCancelled leaves no file.
[[nodiscard]] Expected<SavedRun> ensembleToFile(const std::vector<EnsembleMember>& members,
                                                const std::string& path,
                                                const EnsembleOptions& options,
                                                RunContext& context);

/// The same as a run in memory.
[[nodiscard]] Expected<Run> ensembleRun(const std::vector<EnsembleMember>& members,
                                        const EnsembleOptions& options, RunContext& context);

}  // namespace dubito
