// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "app/session/session.h"
#include "app/session/tune_computation.h"
#include "widgets/change_list.h"
#include "widgets/histogram_plot.h"
#include "widgets/landscape_plot.h"

namespace dubito {

/// Metrics available in both: accuracy, NLL, ECE, Brier, mean confidence, and the AUROC of the
/// entropy for mistakes and for OOD.
[[nodiscard]] std::vector<Change> tuneChanges(const Evaluation& before, const Evaluation& now);

/// NLL and ECE over the temperature.
[[nodiscard]] LandscapeValue landscapeValue(const TemperatureLandscape& landscape);
/// NLL, ECE and evidence over the prior precision.
[[nodiscard]] LandscapeValue landscapeValue(const PriorLandscape& landscape);

/// At most four significant digits: "0.6", "1.496".
[[nodiscard]] QString temperatureText(double temperature);

/// "MC dropout T=50, first 10 of 50 draws, temperature 1.5".
[[nodiscard]] QString tuningText(const TuneResult& result);

/// "20 000 of 1 000 000 items while dragging", or "N 1 000 000".
[[nodiscard]] QString itemsText(const TuneResult& result);

/// The histogram of one score; empty if the result does not have it.
[[nodiscard]] HistogramPlotValue tunedHistogram(const TuneResult& result, Measure measure,
                                                const Session& session);

}  // namespace dubito
