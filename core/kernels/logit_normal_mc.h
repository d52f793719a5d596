// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

// Monte Carlo averages of softmax(z), z ~ N(mean_i, Sigma_i), with noise keyed by item.
//
// The noise of item i consists of the vectors eps_p of length R, p = 0 .. ceil(M / 2) - 1. R is K,
// or the number of columns of a shared factor. Draw 2 p is mean + A eps_p, and draw 2 p + 1 is its
// mirror image, mean - A eps_p (an antithetic pair: terms that are odd in the noise cancel
// exactly). Here A A' = Sigma. A is diag(sigma) for a diagonal covariance, diag(sigma) times the
// pivoted Cholesky factor of the correlation matrix (which may be singular) for a full one, and
// F diag(scale)^1/2 for a factored one.
//
// Elements 4 g .. 4 g + 3 of eps_p come from the Philox-4x32-10 block with key siteKey(seed,
// kLogitNoiseSite) and counter (g, p, item id low, item id high) by the Box-Muller transform: words
// 0 and 1 give radius sqrt(-2 ln u(w0)) and angle 2 pi u(w1) of elements 4 g (cosine) and 4 g + 1
// (sine), words 2 and 3 give those of 4 g + 2 and 4 g + 3. Here u(w) = (floor(w / 2^9) + 1/2) 2^-23
// is exact in float32 and never 0. Hence |eps| <= 5.77; the tail beyond it has probability 8e-9.

/// Reserved site id in the key of the noise; real sites are >= 0.
inline constexpr std::int64_t kLogitNoiseSite = -2;

/// Uncertainty measures of N items from M draws each; see PredictiveSummary. Entropies in nats.
struct LogitNormalSummary {
  Array<double> mean_probs;          ///< [N, K], mean over the draws
  Array<double> entropy;             ///< [N], entropy of the mean, in [0, log K]
  Array<double> expected_entropy;    ///< [N], mean entropy of the draws
  Array<double> mutual_information;  ///< [N], entropy - expected_entropy, never negative
  Array<double> confidence;          ///< [N], largest mean probability
  Array<double> log_rest;            ///< [N], log(1 - confidence) to full precision
};

/// Summarises `samples` = M >= 1 draws from each of N Gaussians without storing them. An item's
/// result depends only on the seed, its id and its Gaussian; it is bit-identical for any other
/// items, order and number of threads. Draws are computed in float32 (error about 1e-6 (1 + sigma))
/// and summed in double. The probability outside the most likely class is summed separately, so
/// that small entropies keep their precision. In each draw, probabilities are floored at 1e-38
/// times the largest. Throws std::invalid_argument for shapes that do not match, K < 2, M < 1, M >
/// 2^32, or a wrong number of ids. If the context is cancelled, the remaining items stay zero and
/// the caller must discard the result.
[[nodiscard]] LogitNormalSummary logitNormalMc(const LogitGaussians& gaussians,
                                               std::span<const std::int64_t> item_ids,
                                               std::int64_t samples, std::uint64_t seed,
                                               const RunContext& context);

/// The individual draws from the Gaussian in row `row`, as item `item_id`: softmax(z) [M, K]. These
/// are the same draws that logitNormalMc averages. Throws std::invalid_argument like logitNormalMc,
/// and also if there is no such row.
[[nodiscard]] Array<float> logitNormalSamples(const LogitGaussians& gaussians, std::int64_t row,
                                              std::int64_t item_id, std::int64_t samples,
                                              std::uint64_t seed);

}  // namespace dubito
