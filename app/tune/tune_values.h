// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "app/session/session.h"
#include "app/tune/tune_computation.h"
#include "widgets/change_list.h"
#include "widgets/histogram_plot.h"
#include "widgets/landscape_plot.h"

namespace dubito {

/// The changes of all metrics available in both evaluations: accuracy, NLL, ECE, Brier score, mean
/// confidence, and the AUROC of the entropy for detecting mistakes and OOD items.
[[nodiscard]] std::vector<Change> tuneChanges(const Evaluation& before, const Evaluation& now);

/// NLL and ECE as functions of the temperature.
[[nodiscard]] LandscapeValue landscapeValue(const TemperatureLandscape& landscape);
/// NLL, ECE and evidence as functions of the prior precision.
[[nodiscard]] LandscapeValue landscapeValue(const PriorLandscape& landscape);

/// The temperature with at most four significant digits: "0.6", "1.496".
[[nodiscard]] QString temperatureText(double temperature);

/// Name of the run and its changes: "MC dropout, 50 draws, first 10 of 50 draws, temperature 1.5".
[[nodiscard]] QString tuningText(const TuneResult& result);

/// What a plot of the result shows: run and changes, dataset, and the number of items evaluated
/// ("20 000 of 1 000 000 items while dragging", or "N 1 000 000"). `with_ood`: of the items of all
/// datasets; otherwise of the labelled ones of the first.
[[nodiscard]] QString tuneCaption(const TuneResult& result, bool with_ood);

/// The histogram of `measure`; empty if the result does not have this measure.
[[nodiscard]] HistogramPlotValue tunedHistogram(const TuneResult& result, Measure measure,
                                                const Session& session);

}  // namespace dubito
