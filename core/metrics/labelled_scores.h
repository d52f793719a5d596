// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// The proper scores of a run, from one pass over its rows.
struct LabelledScores {
  double nll = 0.0;
  bool nll_is_of_logits = false;
  /// Labelled items whose probability of the true class was raised to the clamp; 0 with logits.
  std::int64_t nll_clamped = 0;
  /// Labels whose class is masked by a logit of minus infinity, each an infinite term of `nll`.
  std::int64_t masked_labels = 0;
  double brier = 0.0;
};

/// negativeLogLikelihood and brierScore of `probs` [N, K] on the context's threads, the result
/// independent of their number; where `logits` (may be null) are those that the probabilities of
/// every labelled row came from (to 1e-5), the likelihood is that of the logits. Runs of several
/// draws, or with a temperature, may hold logits of something else. At least one label is >= 0, all
/// are < K. Unfinished if the context is cancelled.
[[nodiscard]] LabelledScores labelledScores(const Array<float>& probs, const RealArray* logits,
                                            std::span<const std::int64_t> labels,
                                            const RunContext& context);
[[nodiscard]] LabelledScores labelledScores(const Array<double>& probs, const RealArray* logits,
                                            std::span<const std::int64_t> labels,
                                            const RunContext& context);

}  // namespace dubito
