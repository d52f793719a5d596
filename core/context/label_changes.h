// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/context/context_options.h"
#include "core/context/pair_scores.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito {

/// Writes why context changed labels (explainLabels): a CSV file with one line for each item whose
/// prediction differs between `before` and `after` (withContext of it) and each other item of its
/// scene. The numbers are differences of log probabilities in nats, new class minus old class; for
/// runs with draws they explain the mean prediction, not the mean over explanations.
[[nodiscard]] Status writeLabelChanges(const std::string& path, const Run& before, const Run& after,
                                       const Scenes& scenes, const PairScores& scores,
                                       const ContextOptions& options, RunContext& context);

}  // namespace dubito
