// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/raw_predictions.h"
#include "core/io/score_form.h"

namespace dubito {

/// Checks rows [N, K] of probabilities and divides them by `form.total`. Returns `probs` unchanged
/// if every row sums to 1 within 1e-6; rows within `form.tolerance` are rescaled, and a note in
/// raw.notes states their number. kMalformed, naming the first invalid row, for NaN, infinity,
/// negative numbers and larger deviations of the sum.
[[nodiscard]] Expected<Array<float>> validProbs(const Array<float>& probs, const FoundForm& form,
                                                RawPredictions& raw, RunContext& context);
[[nodiscard]] Expected<Array<double>> validProbs(const Array<double>& probs, const FoundForm& form,
                                                 RawPredictions& raw, RunContext& context);

/// The softmax of every row, computed in double and stored in the type of the logits. kMalformed,
/// naming the row, for NaN, plus infinity, and rows of minus infinity. `form` says whether they are
/// logits or log-probabilities.
[[nodiscard]] Expected<Array<float>> probsFromLogits(const Array<float>& logits,
                                                     const FoundForm& form, RawPredictions& raw,
                                                     RunContext& context);
[[nodiscard]] Expected<Array<double>> probsFromLogits(const Array<double>& logits,
                                                      const FoundForm& form, RawPredictions& raw,
                                                      RunContext& context);

}  // namespace dubito
