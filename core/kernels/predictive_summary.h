// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/measures/predictive_summary.h"

namespace dubito {

// The measures of summariseDraws in one pass, for draws that come by the million: vectorised over
// the items, one exponential (of logits) or one logarithm (of probabilities) an element, on the
// context's threads.
//
// All arithmetic is in double. Of the exact softmax of the logits as they are given, probabilities,
// entropies and the variation ratio have an error below 1e-13 relative, also the entropy of rows
// whose largest probability is closer to 1 than a double can tell (what is left of the largest
// class is summed by itself; its logarithm is log_rest, exact for gaps of any size). Probabilities
// below e^-708 of the largest count as 0. The mutual information, their difference, has an error
// below 1e-13 of the entropy: of 1e-6 nats in an entropy of 1e-4, eleven digits. An item's result
// depends on its own draws alone: not on the number of threads, nor on which items share the call.
// It may differ in the last digits between instruction sets.
//
// All throw std::invalid_argument for another rank, T = 0 or K = 0. Where the context is cancelled
// the rest of the items stays zero: the caller drops the result.

/// Draws of N items over K classes, each of which may lie somewhere else.
struct DrawRows {
  std::span<const float* const> draws;  ///< [T] rows [N, K]
  std::int64_t items = 0;
  std::int64_t classes = 0;
  /// Number of the CUDA device whose memory holds the draws; nothing: the host's memory does.
  std::optional<int> cuda_device = std::nullopt;
};

/// Of logits: H = log sum exp z - sum p z. An item with a logit that is NaN or plus infinity has
/// the entropy NaN. `probs_of_draws` is empty, or for each draw where its softmax(logits) [N, K] is
/// written, in the host's memory. Draws on a CUDA device are summarised there
/// (loadCudaLibrary comes before) and agree with those of the host to 1e-11.
[[nodiscard]] PredictiveSummary summariseLogits(const DrawRows& logits,
                                                std::span<float* const> probs_of_draws,
                                                const RunContext& context);
/// Of logits [T, N, K]; `probs_of_draws`, where it is given, is set to softmax(logits) [T, N, K].
[[nodiscard]] PredictiveSummary summariseLogits(const Array<float>& logits,
                                                const RunContext& context,
                                                Array<float>* probs_of_draws = nullptr);

/// Of probabilities [T, N, K], taken as they are (not normalised again).
[[nodiscard]] PredictiveSummary summariseProbs(const Array<float>& probs,
                                               const RunContext& context);

}  // namespace dubito
