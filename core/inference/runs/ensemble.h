// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/inference/runs/predict_to_file.h"
#include "core/io/run.h"

namespace dubito {

/// A run that takes part in an ensemble, with the name that messages call it by.
struct EnsembleMember {
  std::string name;
  Run run;
};

/// Joins runs over the same items into one: probabilities are averaged, never logits. Its draws are
/// the members, so that the mutual information tells where they disagree; where every member keeps
/// the same number of draws, they are all draws of all members. Draws are kept as in
/// PredictOptions::keep_samples_mb.
struct EnsembleOptions {
  std::int64_t keep_samples_mb = 1024;
  /// Results of this many bytes are held at a time.
  std::int64_t part_bytes = std::int64_t{2} << 20;
  std::vector<std::string> notes = {};  ///< about the members, for the run's notes
};

/// Writes the ensemble as the run file `path`, with the items in the order of the first member; the
/// members' own files are mapped, so that memory grows by at most 8 bytes an item for each member
/// whose items are in another order. kInvalidArgument, naming the member, for other ids, classes or
/// labels than the first one's, for fewer than two members, and for one without probabilities;
/// kCancelled leaves nothing.
[[nodiscard]] Expected<SavedRun> ensembleToFile(const std::vector<EnsembleMember>& members,
                                                const std::string& path,
                                                const EnsembleOptions& options,
                                                RunContext& context);

/// The same as a run in memory.
[[nodiscard]] Expected<Run> ensembleRun(const std::vector<EnsembleMember>& members,
                                        const EnsembleOptions& options, RunContext& context);

}  // namespace dubito
