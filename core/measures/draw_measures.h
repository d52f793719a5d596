// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// Uncertainty measures of N items, computed from their draws (theory, section 2). All sums are in
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
  /// [N], log(1 - confidence) as the logarithm of the sum of the other mean probabilities: orders
  /// items whose confidence rounds to 1.
  Array<double> log_rest;
};

/// All arrays allocated and zero.
[[nodiscard]] PredictiveSummary emptySummary(std::int64_t items, std::int64_t classes);

/// From the probabilities [T, N, K] of T >= 1 draws, on the context's threads; the result does not
/// depend on the number of threads. Throws std::invalid_argument for another rank, T = 0 or K = 0.
/// After a cancel the remaining items stay zero; the caller must drop the result.
[[nodiscard]] PredictiveSummary summariseDraws(const Array<float>& probs,
                                               const RunContext& context);
[[nodiscard]] PredictiveSummary summariseDraws(const Array<double>& probs,
                                               const RunContext& context);

/// The same from logits [T, N, K], without rounding to probabilities first: entropies and log_rest
/// are accurate for logit gaps of any size. A logit of minus infinity is probability 0; an item
/// with a logit that is NaN or plus infinity has entropy NaN.
[[nodiscard]] PredictiveSummary summariseDrawsOfLogits(const Array<float>& logits,
                                                       const RunContext& context);
[[nodiscard]] PredictiveSummary summariseDrawsOfLogits(const Array<double>& logits,
                                                       const RunContext& context);

// Single measures [N] of kept draws, probabilities [T, N, K], on the context's threads. After a
// cancel the remaining items stay zero.

/// Sum over the classes of the variance of their probability over the T draws, in [0, 1 - 1/K], as
/// PredictiveSummary::variance.
[[nodiscard]] Array<double> drawVariances(const Array<float>& probs, const RunContext& context);

/// 1 - share of the modal class among the predictions of the T draws, as
/// PredictiveSummary::variation_ratio.
[[nodiscard]] Array<double> variationRatios(const Array<float>& probs, const RunContext& context);

}  // namespace dubito
