// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/io/raw_predictions.h"

namespace dubito {

/// The labels of `n` items as class numbers in [0, k), or -1 for unknown: from whole numbers of any
/// type, [N] or [N, 1], or one-hot rows [N, K]. All -1 if the file has no labels. Notes the number
/// of unknown labels. kMalformed, naming the row, for an invalid class.
[[nodiscard]] Expected<Array<std::int64_t>> readLabels(RawPredictions& raw, std::int64_t n,
                                                       std::int64_t k);

}  // namespace dubito
