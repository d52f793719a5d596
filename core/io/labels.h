// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/io/raw_predictions.h"

namespace dubito {

/// Converts raw.labels to class numbers in [0, k), or -1 for unknown, of `n` items. Accepts whole
/// numbers of any type, [N] or [N, 1], and one-hot rows [N, K]. All labels are -1 if the file has
/// none. Adds a note with the number of unknown labels to raw.notes. kMalformed, naming the row,
/// for an invalid class.
[[nodiscard]] Expected<Array<std::int64_t>> readLabels(RawPredictions& raw, std::int64_t n,
                                                       std::int64_t k);

}  // namespace dubito
