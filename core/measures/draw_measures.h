// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// Uncertainty measures of N items, computed from their draws (theory, section 2). All sums are
/// computed in double; entropies are in nats.
struct PredictiveSummary {
  Array<double> mean_probs;          ///< [N, K], mean over the draws
  Array<double> entropy;             ///< [N], entropy of the mean, in [0, log K]
  Array<double> expected_entropy;    ///< [N], mean entropy of the draws
  Array<double> mutual_information;  ///< [N], entropy - expected_entropy, never negative
  Array<double>
      variation_ratio;       ///< [N], 1 - share of the modal class among the draws' predictions
  Array<double> variance;    ///< [N], sum over classes of the population variance over the draws
  Array<double> confidence;  ///< [N], largest mean probability
  Array<std::int64_t>
      predictions;  ///< [N], class of the largest mean probability (ties: the lowest)
  /// [N], log(1 - confidence), computed from the sum of the other mean probabilities, so that it
  /// orders items even if their confidence rounds to 1.
  Array<double> log_rest;
};

/// A summary whose arrays are allocated and zero.
[[nodiscard]] PredictiveSummary emptySummary(std::int64_t items, std::int64_t classes);

/// Summarises the probabilities [T, N, K] of T >= 1 draws on the context's threads; the result does
/// not depend on the number of threads. Throws std::invalid_argument if the array is not of rank 3,
/// T = 0 or K = 0. If the context is cancelled, the remaining items stay zero and the caller must
/// discard the result.
[[nodiscard]] PredictiveSummary summariseDraws(const Array<float>& probs,
                                               const RunContext& context);
[[nodiscard]] PredictiveSummary summariseDraws(const Array<double>& probs,
                                               const RunContext& context);

/// Like summariseDraws, but for logits [T, N, K], which are not rounded to probabilities first:
/// entropies and log_rest are accurate for logit gaps of any size. A logit of minus infinity means
/// probability 0; an item with a logit that is NaN or plus infinity has entropy NaN.
[[nodiscard]] PredictiveSummary summariseDrawsOfLogits(const Array<float>& logits,
                                                       const RunContext& context);
[[nodiscard]] PredictiveSummary summariseDrawsOfLogits(const Array<double>& logits,
                                                       const RunContext& context);

// Single measures [N] of stored draws, that is, of probabilities [T, N, K], computed on the
// context's threads. If the context is cancelled, the remaining items stay zero.

/// Sum over the classes of the variance of their probability over the T draws, in [0, 1 - 1/K]; see
/// PredictiveSummary::variance.
[[nodiscard]] Array<double> drawVariances(const Array<float>& probs, const RunContext& context);

/// 1 - share of the modal class among the predictions of the T draws; see
/// PredictiveSummary::variation_ratio.
[[nodiscard]] Array<double> variationRatios(const Array<float>& probs, const RunContext& context);

}  // namespace dubito
