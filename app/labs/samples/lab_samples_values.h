// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/labs/samples/lab_samples.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// Divergence against the number of samples, with the closed forms as levels.
[[nodiscard]] CurvePlotValue worthBySamples(const WorthPicture& picture);
/// Divergence against wall time; the closed forms are levels from the time that they take.
[[nodiscard]] CurvePlotValue worthByTime(const WorthPicture& picture);
/// One row per closed form: divergence, worth in samples, time.
[[nodiscard]] CompareTableValue worthTable(const WorthPicture& picture);

/// The crossing of the centred bridge, or of the first closed form, in one or two sentences; empty
/// before the first replicate.
[[nodiscard]] QString worthSentence(const WorthPicture& picture);
/// "joint distribution ... · truth: 100 000 samples · 7 replicates".
[[nodiscard]] QString worthCaption(const WorthPicture& picture);

}  // namespace dubito
