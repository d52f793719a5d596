// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/io/raw_predictions.h"
#include "core/io/run.h"

namespace dubito {

/// Compares a run with the other arrays of its file and adds a note for each that differs, with the
/// number of rows: predicted classes (`predicted`, empty if there are none) with the class of the
/// largest probability, confidences with the largest probability, and logits with the
/// probabilities. kMalformed if most of the predicted classes differ: the file contradicts itself.
[[nodiscard]] Status compareWithFile(const Run& run, const std::vector<std::int64_t>& predicted,
                                     RawPredictions& raw);

/// Confidences [N] in [0, 1]; those in per cent are divided by 100, with a note. kMalformed, naming
/// the row, for other numbers.
[[nodiscard]] Expected<Array<double>> readConfidences(RawPredictions& raw);

}  // namespace dubito
