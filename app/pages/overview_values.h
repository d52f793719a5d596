// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "app/session/session.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/metric_table.h"

namespace dubito {

/// Method, datasets and N of an analysis, for the line under a title: "MC dropout T=50 · MNIST test
/// + Fashion-MNIST · N 2 000 + 1 000".
[[nodiscard]] QString provenance(const Analysis& analysis);

/// Tells of each group whether it is switched on.
[[nodiscard]] std::function<bool(ItemGroup)> shownGroups(const Session& session);

/// The histograms of one score, of the groups that `is_shown` lets in.
[[nodiscard]] HistogramPlotValue histogramValue(const Overview::ScoreHistograms& histograms,
                                                const std::function<bool(ItemGroup)>& is_shown);

/// Of the groups of histogramValue in turn what is selected of `measure`; empty where the run does
/// not hold it.
[[nodiscard]] std::vector<Histogram> selectedHistograms(const Analysis& analysis,
                                                        const SelectionOverview& selection,
                                                        Measure measure, const Session& session);
/// What the metric table says of the selected items.
[[nodiscard]] std::vector<MetricTableRow> selectionRows(const SelectionOverview& selection);

/// One dash a score, the accent colour for all. Where `selection` (may be null) has such curves,
/// those of all items are muted, and its own follow them.
[[nodiscard]] CurvePlotValue rocValue(const Overview& overview, const SelectionOverview* selection);
[[nodiscard]] CurvePlotValue precisionRecallValue(const Overview& overview,
                                                  const SelectionOverview* selection);
/// With the curve of a score that knows every mistake, and the accuracy without a choice.
[[nodiscard]] CurvePlotValue rejectionValue(const Overview& overview,
                                            const SelectionOverview* selection);
/// Accuracy against the retained share where every mistake is rejected first.
[[nodiscard]] Curve oracleRejection(std::int64_t correct, std::int64_t misclassified);

/// Rows for reading: long conventions go to the tooltips, fractions become per cent.
[[nodiscard]] std::vector<MetricTableRow> tableRows(const Evaluation& evaluation);

}  // namespace dubito
