// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "app/session/shift_request.h"
#include "widgets/curve_plot.h"
#include "widgets/item_view_values.h"

namespace dubito {

/// "noise", and in a line what a step of it does.
[[nodiscard]] QString corruptionName(CorruptionKind kind);
[[nodiscard]] QString corruptionMeaning(CorruptionKind kind);

/// Accuracy, mean confidence and ECE against the severity (degrees for rotations).
[[nodiscard]] CurvePlotValue shiftShares(const ShiftResult& result);
/// Mean entropies in nats; the parts where the method has them.
[[nodiscard]] CurvePlotValue shiftEntropies(const ShiftResult& result);

/// What can be drawn of a shift, for each run alone.
enum class ShiftQuantity {
  kAccuracy,
  kConfidence,
  kEce,
  kEntropy,
  kExpectedEntropy,
  kMutualInformation
};
[[nodiscard]] QString shiftQuantityName(ShiftQuantity quantity);

/// One quantity of several runs under the same corruption, one curve a run; `names` by result. Runs
/// without it are left out.
[[nodiscard]] CurvePlotValue shiftOfRuns(const std::vector<ShiftResultPtr>& results,
                                         const std::vector<QString>& names, ShiftQuantity quantity);

/// "rotation · MC dropout T=50 · MNIST test · N 1 000".
[[nodiscard]] QString shiftCaption(const ShiftResult& result);

/// One entry a step for the item with that id: what is predicted, and how surely. `count` of them
/// at most; those that were not among the items have no prediction.
[[nodiscard]] std::vector<GalleryItem> shiftItems(const ShiftResult& result, std::int64_t id,
                                                  std::size_t count);

}  // namespace dubito
