// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/analysis.h"

namespace dubito {

/// Effect of a threshold on a measure: items on the certain side of the threshold are kept.
struct OperatingPoint {
  /// Kept share of the correct items.
  double true_positive_rate = 0.0;
  /// Kept share of the OOD items or, if there are none, of the misclassified items.
  double false_positive_rate = 0.0;
};

/// nullopt if there are no correct items or no negatives (OOD or misclassified items), or if the
/// measure is missing. One pass over all items.
[[nodiscard]] std::optional<OperatingPoint> operatingPoint(const Analysis& analysis,
                                                           Measure measure, double threshold);

/// The threshold that keeps at least `share` of the correct items; nullopt without correct items.
[[nodiscard]] std::optional<double> thresholdKeeping(const Analysis& analysis, Measure measure,
                                                     double share);

/// The curves of Overview that rank items by a measure.
enum class RankingCurve { kRoc, kPrecisionRecall, kRejection };

/// The threshold at which a curve passes through (x, y): the measure of the least certain item kept
/// at that point. nullopt if no item is kept or the measure is missing.
[[nodiscard]] std::optional<double> thresholdAt(const Analysis& analysis, Measure measure,
                                                RankingCurve curve, double x, double y);

/// A threshold and the interval of values that it keeps. The interval extends to the end of the
/// axis, or to the extreme value if that lies beyond the axis.
struct KeptRange {
  double threshold = 0.0;
  Interval range;
};
/// The range for the threshold of thresholdAt; nullopt if that has none. One pass over all items.
[[nodiscard]] std::optional<KeptRange> keptRange(const Analysis& analysis, Measure measure,
                                                 RankingCurve curve, double x, double y);

}  // namespace dubito
