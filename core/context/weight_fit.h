// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/context/context_options.h"
#include "core/context/pair_scores.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito {

/// Whether the best weight is within the search range.
enum class WeightLimit {
  kInside,   ///< within the range
  kNone,     ///< 0: any influence of the scene makes these predictions worse
  kLargest,  ///< the end of the range
};

/// The weight w >= 0 of context that minimises the mean negative log likelihood of the labelled
/// items.
struct WeightFit {
  double weight = 0.0;
  WeightLimit limit = WeightLimit::kInside;
  double nll_before = 0.0;  ///< nats, at weight 0
  double nll_after = 0.0;
  std::int64_t items = 0;       ///< labelled items
  std::int64_t in_company = 0;  ///< of them, those that share their scene with another item
};

/// Fits the weight to a calibration run. Negative weights, by which objects that are often together
/// would make each other less likely, are not considered. The NLL need not have a single minimum:
/// it is evaluated at 0 and on a grid with ratio sqrt(2) up to kLargestContextWeight (or
/// PairScores::maxWeight), and Brent's method refines the best point between its neighbours, to
/// 1e-6 relative. options.weight is not used. Errors name `name`: kInvalidArgument without labels,
/// probabilities, or a labelled item in company; kCancelled.
[[nodiscard]] Expected<WeightFit> fitContextWeight(const Run& run, const std::string& name,
                                                   const Scenes& scenes, const PairScores& scores,
                                                   const ContextOptions& options,
                                                   RunContext& context);

/// One sentence for the notes of a run: weight, NLL before and after, and whether it was clamped.
[[nodiscard]] std::string describe(const WeightFit& fit);

}  // namespace dubito
