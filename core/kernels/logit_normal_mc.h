// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

// Monte-Carlo averages of softmax(z), z ~ N(mean_i, Sigma_i), with noise keyed by item.
//
// The noise of item i is eps_p in R^R, p = 0 .. ceil(M / 2) - 1, where R is K, or the number of
// columns of a shared factor. Draw 2 p is z = mean + A eps_p and draw 2 p + 1 its mirror image
// mean - A eps_p (antithetic pairs: what is odd in the noise cancels exactly), A A' = Sigma: for a
// diagonal covariance the standard deviations, for a full one its Cholesky factor with pivots (of
// the correlations; it may be singular), for a factored one F diag(scale)^1/2.
//
// Elements 4 g .. 4 g + 3 of eps_p come from the Philox-4x32-10 block with the key siteKey(seed,
// kLogitNoiseSite) and the counter (g, p, item id low, item id high) by Box and Muller: words 0 and
// 1 give radius sqrt(-2 ln u(w0)) and angle 2 pi u(w1) of elements 4 g (cosine) and 4 g + 1 (sine),
// words 2 and 3 those of the other two; u(w) = (floor(w / 2^9) + 1/2) 2^-23, exact in float32 and
// never 0. So |eps| <= 5.77; what lies beyond has a share of 8e-9.

/// Stands for a dropout site, of which there is none below 0, in the key of the noise.
inline constexpr std::int64_t kLogitNoiseSite = -2;

/// Uncertainty measures of N items from M draws each; see PredictiveSummary. Entropies in nats.
struct LogitNormalSummary {
  Array<double> mean_probs;          ///< [N, K], mean over the draws
  Array<double> entropy;             ///< [N], entropy of the mean, in [0, log K]
  Array<double> expected_entropy;    ///< [N], mean entropy of the draws
  Array<double> mutual_information;  ///< [N], entropy - expected_entropy, never negative
  Array<double> confidence;          ///< [N], largest mean probability
  Array<double> log_rest;            ///< [N], log(1 - confidence) with all its digits
};

/// Summarises `samples` = M >= 1 draws of each of N Gaussians without storing them. An item's
/// result depends on the seed, its id and its Gaussian alone, bit for bit: not on the other items,
/// their order or the number of threads. Draws are computed in float32 (to about 1e-6 of 1 +
/// sigma), sums over draws carried in double; what is left of the likeliest class is summed by
/// itself, so that small entropies have digits too; no class gets less than
/// 1e-38 of the likeliest one in a draw. Throws std::invalid_argument for shapes that do
/// not fit, K < 2, M < 1 or M > 2^32, or another number of ids. Where the context is cancelled the
/// rest of the items stays zero: the caller drops the result.
[[nodiscard]] LogitNormalSummary logitNormalMc(const LogitGaussians& gaussians,
                                               std::span<const std::int64_t> item_ids,
                                               std::int64_t samples, std::uint64_t seed,
                                               const RunContext& context);

/// The draws themselves of the Gaussian in row `row`, as item `item_id`: softmax(z) [M, K], the
/// same that logitNormalMc averages. Throws as logitNormalMc, and for a row that is not there.
[[nodiscard]] Array<float> logitNormalSamples(const LogitGaussians& gaussians, std::int64_t row,
                                              std::int64_t item_id, std::int64_t samples,
                                              std::uint64_t seed);

}  // namespace dubito
