// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/analysis.h"

namespace dubito {

/// What a threshold on a measure does: items on its certain side are kept.
struct OperatingPoint {
  double true_positive_rate = 0.0;   ///< kept share of the correct items
  double false_positive_rate = 0.0;  ///< kept share of the OOD items, or of the misclassified ones
                                     ///< where there is no OOD
};

/// Nothing if there are no correct items, no negatives, or no such measure. One pass over all
/// items.
[[nodiscard]] std::optional<OperatingPoint> operatingPoint(const Analysis& analysis,
                                                           Measure measure, double threshold);

/// The threshold that keeps `share` of the correct items, at least; nothing without any.
[[nodiscard]] std::optional<double> thresholdKeeping(const Analysis& analysis, Measure measure,
                                                     double share);

/// The curves of Overview that rank items by a measure.
enum class RankingCurve { kRoc, kPrecisionRecall, kRejection };

/// The threshold at which a curve passes the point (x, y): the measure of the least certain item
/// that is kept there. Nothing if nothing is kept, or the measure is missing.
[[nodiscard]] std::optional<double> thresholdAt(const Analysis& analysis, Measure measure,
                                                RankingCurve curve, double x, double y);

/// A threshold, and the interval of what it keeps: to the end of the axis, or of the items where
/// they reach beyond it.
struct KeptRange {
  double threshold = 0.0;
  Interval range;
};
/// Of thresholdAt. One pass over all items.
[[nodiscard]] std::optional<KeptRange> keptRange(const Analysis& analysis, Measure measure,
                                                 RankingCurve curve, double x, double y);

}  // namespace dubito
