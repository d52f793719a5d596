// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// A number that may be a score: a probability or per cent. Nothing below 0, above 100 and for NaN.
/// Readers store it in LabelRow::probability, and importLabels() decides what it is.
[[nodiscard]] std::optional<float> possibleScore(double value);

/// Makes the scores of a file probabilities: if more than half of them are above 1, all are per
/// cent; else those above 1 are none. Notes count both.
void settleScores(LabelTable& table, std::vector<LabelNote>& notes);

}  // namespace dubito
