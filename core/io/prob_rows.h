// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/raw_predictions.h"

namespace dubito {

/// Checks rows [N, K] of probabilities. Returns `probs` unchanged if every row sums to 1 within
/// 1e-6; rows that sum to 1 within 1e-3 are rescaled, and a note in raw.notes states their number.
/// kMalformed, naming the first invalid row, for NaN, infinity, numbers outside [0, 1] and larger
/// deviations of the sum.
[[nodiscard]] Expected<Array<float>> validProbs(const Array<float>& probs, RawPredictions& raw,
                                                RunContext& context);
[[nodiscard]] Expected<Array<double>> validProbs(const Array<double>& probs, RawPredictions& raw,
                                                 RunContext& context);

/// The softmax of every row, computed in double and stored in the type of the logits. kMalformed,
/// naming the row, for NaN, plus infinity, and rows of minus infinity.
[[nodiscard]] Expected<Array<float>> probsFromLogits(const Array<float>& logits,
                                                     RawPredictions& raw, RunContext& context);
[[nodiscard]] Expected<Array<double>> probsFromLogits(const Array<double>& logits,
                                                      RawPredictions& raw, RunContext& context);

}  // namespace dubito
