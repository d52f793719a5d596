// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <span>
#include <vector>

#include "app/shift/shift_request.h"
#include "widgets/curve_plot.h"
#include "widgets/item_view_values.h"

namespace dubito {

/// Display name: "noise".
[[nodiscard]] QString corruptionName(CorruptionKind kind);
/// One line on the effect of each severity step.
[[nodiscard]] QString corruptionDescription(CorruptionKind kind);

/// Accuracy, mean confidence and ECE by severity (for rotations, by angle in degrees).
[[nodiscard]] CurvePlotValue shiftCalibrationCurves(const ShiftResult& result);
/// Mean entropy in nats by severity, with its aleatoric and epistemic parts if available.
[[nodiscard]] CurvePlotValue shiftUncertaintyCurves(const ShiftResult& result);

/// A quantity by severity, which can be compared across runs.
struct ShiftQuantity {
  const char* name;                        ///< as shiftQuantityName(), not translated
  bool is_share;                           ///< otherwise in nats
  double (*value)(const ShiftStep& step);  ///< NaN if the method does not have it
};
/// Shares first, then entropies.
[[nodiscard]] std::span<const ShiftQuantity> shiftQuantities();
[[nodiscard]] std::span<const ShiftQuantity> shiftShares();
[[nodiscard]] std::span<const ShiftQuantity> shiftEntropies();
[[nodiscard]] QString shiftQuantityName(const ShiftQuantity& quantity);

/// One quantity of several runs under the same corruption, one curve per run. `names[i]` is the
/// name of the run of `results[i]`. Omits runs without the quantity.
[[nodiscard]] CurvePlotValue compareShift(const std::vector<ShiftResultPtr>& results,
                                          const std::vector<QString>& names,
                                          const ShiftQuantity& quantity);

/// "rotation · MC dropout, 50 draws · MNIST test · N 1 000".
[[nodiscard]] QString shiftCaption(const ShiftResult& result);

/// The first `count` severities, one gallery entry each: the prediction and confidence for the item
/// with id `id`. If the result does not contain the item, the entries have no prediction.
[[nodiscard]] std::vector<GalleryItem> shiftItems(const ShiftResult& result, std::int64_t id,
                                                  std::size_t count);

}  // namespace dubito
