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

/// Method, datasets and N of an analysis, for subtitles: "MC dropout, 50 draws · MNIST test +
/// Fashion-MNIST · N 2 000 + 1 000".
[[nodiscard]] QString provenance(const Analysis& analysis);
/// The same for a plot of `items` items of the first dataset and, if `with_ood`, all OOD items.
[[nodiscard]] QString provenance(const Analysis& analysis, std::int64_t items, bool with_ood);
/// The same for a reliability diagram of the analysis.
[[nodiscard]] QString provenance(const Analysis& analysis, const ReliabilityDiagram& diagram,
                                 bool with_ood);
/// The same for the ROC and precision-recall curves, which leave out the mistakes if there are OOD
/// items.
[[nodiscard]] QString rankingProvenance(const Analysis& analysis);
/// The same for the rejection curve, which is of the labelled items.
[[nodiscard]] QString rejectionProvenance(const Analysis& analysis);

/// The subtitle `line` of a plot of a sample of `of` items: "sample of 1 000 000 · …", first
/// because narrow cards show the beginning. For `of` = 0, of all items, the line itself.
[[nodiscard]] QString withSample(std::int64_t of, const QString& line);

/// Predicate that is true for the groups currently shown.
[[nodiscard]] std::function<bool(ItemGroup)> shownGroups(const Session& session);

/// The histograms of one score for the groups accepted by `is_shown`.
[[nodiscard]] HistogramPlotValue histogramValue(const Overview::ScoreHistograms& histograms,
                                                const std::function<bool(ItemGroup)>& is_shown);

/// Histograms of the selected items, in the group order of histogramValue; empty if the run does
/// not have `measure`.
[[nodiscard]] std::vector<Histogram> selectedHistograms(const Analysis& analysis,
                                                        const SelectionOverview& selection,
                                                        Measure measure, const Session& session);
/// Metric table rows for the selected items.
[[nodiscard]] std::vector<MetricTableRow> selectionRows(const SelectionOverview& selection);

/// Axes and summary of plots of ROC curves, and of rejection curves.
[[nodiscard]] CurvePlotValue rocWithoutCurves(const Overview& overview);
[[nodiscard]] CurvePlotValue rejectionWithoutCurves();
/// For curves of several runs or methods; see reliabilityCurve.
[[nodiscard]] CurvePlotValue reliabilityWithoutCurves();
/// One curve per score, in the accent colour, distinguished by dash patterns. If `selection` (may
/// be null) has curves, they are appended, and the curves of all items are muted.
[[nodiscard]] CurvePlotValue rocValue(const Overview& overview, const SelectionOverview* selection);
[[nodiscard]] CurvePlotValue precisionRecallValue(const Overview& overview,
                                                  const SelectionOverview* selection);
/// Like rocValue, for rejection curves; adds the curve of an oracle score and a line at the
/// accuracy without rejection.
[[nodiscard]] CurvePlotValue rejectionValue(const Overview& overview,
                                            const SelectionOverview* selection);

/// Formats the metrics for display: fractions as percentages, long conventions in the tooltips.
[[nodiscard]] std::vector<MetricTableRow> tableRows(const Evaluation& evaluation);

}  // namespace dubito
