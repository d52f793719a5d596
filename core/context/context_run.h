// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/context/context_options.h"
#include "core/context/pair_scores.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito {

/// Where the parts of a context run come from, for its metadata.
struct ContextSources {
  std::string run = {};           ///< file name of the run, as in messages
  std::string cooccurrence = {};  ///< Cooccurrence::source
  std::string weight = "by hand";
};

/// A scene in which belief propagation did not converge.
struct UnsettledScene {
  std::string name;
  double residual = 0.0;  ///< largest change of the last step over the draws, in nats
};

/// What context did to a run.
struct ContextReport {
  std::int64_t scenes = 0;         ///< with several items
  std::int64_t items = 0;          ///< in these scenes
  std::int64_t alone = 0;          ///< all others
  std::int64_t exact = 0;          ///< scenes solved exactly, in all draws
  std::int64_t searched = 0;       ///< scenes of which the labellings that count were summed
  std::int64_t converged = 0;      ///< scenes solved by loopy belief propagation
  std::int64_t not_converged = 0;  ///< scenes in which it did not converge in some draw
  std::vector<UnsettledScene> unsettled = {};  ///< these, the largest residual first
  double largest_left_out = 0.0;  ///< no probability of a searched scene is off by more
  double largest_residual = 0.0;  ///< over all scenes and draws, in nats
  std::int64_t changed_labels = 0;
};

struct ContextRun {
  Run run;
  ContextReport report;
};

/// The run with the probabilities of each item replaced by its marginals given the other items of
/// its scene (theory, section 10), and measures computed from them. Stored draws are changed one by
/// one, so that the parts of the uncertainty stay apart. Items alone in their scene or without one
/// keep their rows exactly, and so do all items at weight 0. Logits, Gaussians, Dirichlets and
/// gauges are removed if any item changed. The method becomes "context"; its options store the
/// method and options of `run` under "of". Notes state what was removed and which scenes did not
/// converge. The result does not depend on the number of threads. kInvalidArgument for a run
/// without probabilities, and errors of PairFactors::create and checkSceneSizes; kCancelled.
[[nodiscard]] Expected<ContextRun> withContext(const Run& run, const Scenes& scenes,
                                               const PairScores& scores,
                                               const ContextOptions& options,
                                               const ContextSources& sources, RunContext& context);

}  // namespace dubito
