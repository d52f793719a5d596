// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "app/session/shift_request.h"
#include "widgets/curve_plot.h"
#include "widgets/item_view_values.h"

namespace dubito {

/// "noise", and one line on the effect of a step.
[[nodiscard]] QString corruptionName(CorruptionKind kind);
[[nodiscard]] QString corruptionMeaning(CorruptionKind kind);

/// Accuracy, mean confidence and ECE by severity (degrees for rotations).
[[nodiscard]] CurvePlotValue shiftShares(const ShiftResult& result);
/// Mean entropies in nats; aleatoric and epistemic parts if available.
[[nodiscard]] CurvePlotValue shiftEntropies(const ShiftResult& result);

/// Quantities that can be compared across runs.
enum class ShiftQuantity {
  kAccuracy,
  kConfidence,
  kEce,
  kEntropy,
  kExpectedEntropy,
  kMutualInformation
};
[[nodiscard]] QString shiftQuantityName(ShiftQuantity quantity);

/// One quantity of several runs under the same corruption, one curve per run; `names` are in the
/// order of `results`. Omits runs without the quantity.
[[nodiscard]] CurvePlotValue compareShift(const std::vector<ShiftResultPtr>& results,
                                          const std::vector<QString>& names,
                                          ShiftQuantity quantity);

/// "rotation · MC dropout T=50 · MNIST test · N 1 000".
[[nodiscard]] QString shiftCaption(const ShiftResult& result);

/// One entry per step for the item with id `id`: prediction and confidence; at most `count`
/// entries. Items missing from the result have no prediction.
[[nodiscard]] std::vector<GalleryItem> shiftItems(const ShiftResult& result, std::int64_t id,
                                                  std::size_t count);

}  // namespace dubito
