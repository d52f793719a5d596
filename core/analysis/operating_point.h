// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/analysis.h"

namespace dubito {

/// Effect of a threshold on a measure: items on its certain side are kept.
struct OperatingPoint {
  double true_positive_rate = 0.0;   ///< kept share of the correct items
  double false_positive_rate = 0.0;  ///< kept share of the OOD items, or of the misclassified ones
                                     ///< without OOD
};

/// Nothing without correct items, negatives, or the measure. One pass over all items.
[[nodiscard]] std::optional<OperatingPoint> operatingPoint(const Analysis& analysis,
                                                           Measure measure, double threshold);

/// The threshold that keeps at least `share` of the correct items; nothing without correct items.
[[nodiscard]] std::optional<double> thresholdKeeping(const Analysis& analysis, Measure measure,
                                                     double share);

/// The curves of Overview that rank items by a measure.
enum class RankingCurve { kRoc, kPrecisionRecall, kRejection };

/// The threshold at which a curve passes through (x, y): the measure of the least certain item kept
/// there. Nothing if no item is kept or the measure is missing.
[[nodiscard]] std::optional<double> thresholdAt(const Analysis& analysis, Measure measure,
                                                RankingCurve curve, double x, double y);

/// A threshold and the interval of values it keeps: up to the end of the axis, or of the values if
/// they exceed it.
struct KeptRange {
  double threshold = 0.0;
  Interval range;
};
/// The range for thresholdAt. One pass over all items.
[[nodiscard]] std::optional<KeptRange> keptRange(const Analysis& analysis, Measure measure,
                                                 RankingCurve curve, double x, double y);

}  // namespace dubito
