// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/runs/saved_run.h"

namespace dubito {

/// A member of an ensemble and its name in messages.
struct EnsembleMember {
  std::string name;
  Run run;
};

/// Options of ensembleToFile and ensembleRun.
struct EnsembleRunOptions {
  /// Limit for stored draws in MiB, as in PredictOptions.
  std::int64_t keep_samples_mb = 1024;
  /// Bytes of results held in memory at a time.
  std::int64_t part_bytes = std::int64_t{2} << 20;
  std::vector<std::string> notes = {};  ///< notes on the members, added to the run's notes
};

/// Refuses, without computing, what ensembleToFile() would refuse because of its members.
[[nodiscard]] Status checkMembers(const std::vector<EnsembleMember>& members);

/// Joins runs on the same items into one by averaging probabilities, never logits, and writes it to
/// the run file `path`, with the items in the order of the first member. The members act as draws
/// of the ensemble, so that the mutual information measures their disagreement; if every member
/// stores the same number of draws, all draws of all members are used. The members' files are
/// memory-mapped, so memory grows by at most 8 bytes per item for each member whose items are in
/// another order. kInvalidArgument, naming the member, if it cannot be joined with the first member
/// (rowsOfSameItems), for fewer than two members, and for a member without probabilities;
/// kCancelled leaves no file.
[[nodiscard]] Expected<SavedRun> ensembleToFile(const std::vector<EnsembleMember>& members,
                                                const std::string& path,
                                                const EnsembleRunOptions& options,
                                                RunContext& context);

/// As ensembleToFile, but returns the run in memory.
[[nodiscard]] Expected<Run> ensembleRun(const std::vector<EnsembleMember>& members,
                                        const EnsembleRunOptions& options, RunContext& context);

}  // namespace dubito
