// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// The proper scores of a run, computed in one pass over its rows.
struct LabelledScores {
  double nll = 0.0;
  bool nll_is_of_logits = false;
  /// Number of labelled items whose probability of the true class was clamped; 0 if `nll` was
  /// computed from logits.
  std::int64_t nll_clamped = 0;
  /// Number of items whose true class is masked by a logit of minus infinity; each makes `nll`
  /// infinite.
  std::int64_t masked_labels = 0;
  double brier = 0.0;
};

/// Computes the NLL (negativeLogLikelihood) and the Brier score, mean_i sum_k (p_ik - [k =
/// label_i])^2 in [0, 2], of `probs` [N, K] on the context's threads; the result does not depend on
/// their number. If the softmax of `logits` (may be null) equals the probabilities of every
/// labelled row (to 1e-5), the NLL is computed from the logits. In runs with several draws or a
/// temperature, the softmax of the logits may differ from the probabilities. At least one label
/// must be >= 0, and all must be < K. The result is incomplete if the context is cancelled.
[[nodiscard]] LabelledScores labelledScores(const Array<float>& probs, const RealArray* logits,
                                            std::span<const std::int64_t> labels,
                                            const RunContext& context);
[[nodiscard]] LabelledScores labelledScores(const Array<double>& probs, const RealArray* logits,
                                            std::span<const std::int64_t> labels,
                                            const RunContext& context);

}  // namespace dubito
