// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/measures/draw_measures.h"

namespace dubito {

// Computes the measures of summariseDraws for millions of draws in a single pass: vectorised over
// items, with one exponential (logits) or one logarithm (probabilities) per element, on the
// context's threads.
//
// All arithmetic is in double. Compared with the exact softmax of the given logits, probabilities,
// entropies and the variation ratio have a relative error below 1e-13, including the entropy of
// rows whose largest probability is indistinguishable from 1 in double (the probability outside the
// most likely class is summed separately; its logarithm, log_rest, is accurate for gaps of any size
// between the logits). Probabilities below e^-708 times the largest count as 0. The mutual
// information, a difference of entropies, has an error below 1e-13 times the entropy: at an entropy
// of 1e-4 nats, a mutual information of 1e-6 nats has eleven correct digits. An item's result
// depends only on its own draws: neither on the number of threads nor on the other items of the
// call. It may differ in the last digits between instruction sets.
//
// All functions throw std::invalid_argument for a wrong rank, T = 0 or K = 0. If the context is
// cancelled, the remaining items stay zero and the caller must discard the result.

/// Draws of N items over K classes; the draws need not be adjacent in memory.
struct DrawRows {
  std::span<const float* const> draws;  ///< [T] pointers to [N, K]
  std::int64_t items = 0;
  std::int64_t classes = 0;
  /// Index of the CUDA device on which the draws are; nullopt: in host memory.
  std::optional<int> cuda_device = std::nullopt;
};

/// Summarises logits: H = log sum exp z - sum p z. An item with a logit that is NaN or plus
/// infinity has entropy NaN. `draw_probs` is empty or contains one host pointer per draw, to which
/// the softmax(logits) [N, K] of that draw is written. Draws on a CUDA device are summarised there,
/// which requires loadCudaLibrary; the results agree with the host's within 1e-11.
[[nodiscard]] PredictiveSummary summariseLogits(const DrawRows& logits,
                                                std::span<float* const> draw_probs,
                                                const RunContext& context);
/// Summarises logits [T, N, K]; `draw_probs`, if given, is set to softmax(logits) [T, N, K].
[[nodiscard]] PredictiveSummary summariseLogits(const Array<float>& logits,
                                                const RunContext& context,
                                                Array<float>* draw_probs = nullptr);

/// Summarises probabilities [T, N, K], which are not renormalised.
[[nodiscard]] PredictiveSummary summariseProbs(const Array<float>& probs,
                                               const RunContext& context);

}  // namespace dubito
