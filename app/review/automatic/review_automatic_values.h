// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/review/automatic/autolabeller.h"
#include "widgets/curve_plot.h"
#include "widgets/item_view_values.h"

namespace dubito {

// Texts of the page Review about automatic labels, in the words of an annotator; the terms of
// the field are in the tooltips.

/// Share of right labels that can be guaranteed, in percent.
inline constexpr Interval kTargetRange = {80.0, 99.9};

/// "99.5 %".
[[nodiscard]] QString percentText(double share);
/// "1 image", "20 000 images".
[[nodiscard]] QString imagesText(std::int64_t count);
/// How sure the network is by this measure: "its doubt between all classes".
[[nodiscard]] QString sureWords(Measure measure);

/// How a source is listed: "net on digits (1 000)", and why it cannot be used.
[[nodiscard]] QString sourceText(const CalibrationSource& source);
/// Why some sources cannot be used; empty: all can.
[[nodiscard]] QString unusableText(const std::vector<CalibrationSource>& sources);

/// Items in random order that are still to be reviewed for the guarantee; 0: none or unknown.
[[nodiscard]] std::int64_t stillNeeded(const Autolabeller& labeller);
/// Why nothing can be guaranteed; empty: it can. Only with a preview, as the functions below.
[[nodiscard]] QString obstacleText(const Autolabeller& labeller);
/// The guarantee as one sentence: how many labels will be right, and how often that may fail; empty
/// if nothing can be guaranteed.
[[nodiscard]] QString guaranteeText(const Autolabeller& labeller);
/// What would be labelled and what is left; `per_minute`: how fast the person decides.
[[nodiscard]] std::vector<KeyValue> automaticNumbers(const Autolabeller& labeller,
                                                     std::optional<double> per_minute);
/// How many labels would be right, with the guarantee as the level.
[[nodiscard]] CurvePlotValue retainedCurve(const Autolabeller& labeller);
/// The point of the threshold on that curve; nullopt: it selects nothing.
[[nodiscard]] std::optional<QPointF> retainedPoint(const Autolabeller& labeller);

}  // namespace dubito
