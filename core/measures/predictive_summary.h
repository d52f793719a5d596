// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// Uncertainty measures of N items from their draws (theory, section 2). All sums are carried in
/// double; entropies in nats.
struct PredictiveSummary {
  Array<double> mean_probs;          ///< [N, K], mean over the draws
  Array<double> entropy;             ///< [N], entropy of the mean, in [0, log K]
  Array<double> expected_entropy;    ///< [N], mean entropy of the draws
  Array<double> mutual_information;  ///< [N], entropy - expected_entropy, never negative
  Array<double>
      variation_ratio;       ///< [N], 1 - share of the modal class among the draws' predictions
  Array<double> variance;    ///< [N], sum over classes of the population variance over the draws
  Array<double> confidence;  ///< [N], largest mean probability
  Array<std::int64_t> predictions;  ///< [N], its class (ties: the lowest)
  /// [N], log(1 - confidence) as the logarithm of the sum of the other mean probabilities: ranks
  /// items whose confidence rounds to 1.
  Array<double> log_rest;
};

/// All arrays of these sizes, zero.
[[nodiscard]] PredictiveSummary emptySummary(std::int64_t items, std::int64_t classes);

/// From probabilities [T, N, K] of T >= 1 draws, on the context's threads; the result does not
/// depend on their number. Throws std::invalid_argument for another rank, T = 0 or K = 0. Where
/// the context is cancelled the rest of the items stays zero: the caller drops the result.
[[nodiscard]] PredictiveSummary summariseDraws(const Array<float>& probs,
                                               const RunContext& context);
[[nodiscard]] PredictiveSummary summariseDraws(const Array<double>& probs,
                                               const RunContext& context);

/// The same from logits [T, N, K], without the rounding of the probabilities: entropies and
/// log_rest keep their digits for gaps of any size. A logit of minus infinity is
/// probability 0; an item with one that is NaN or plus infinity has the entropy NaN.
[[nodiscard]] PredictiveSummary summariseDrawsOfLogits(const Array<float>& logits,
                                                       const RunContext& context);
[[nodiscard]] PredictiveSummary summariseDrawsOfLogits(const Array<double>& logits,
                                                       const RunContext& context);

}  // namespace dubito
