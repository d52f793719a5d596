// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <vector>

#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/item_view_values.h"

namespace dubito::test {

// Plausible figures of a classifier of ten digits, the same at every call.

[[nodiscard]] HistogramPlotValue confidenceHistograms();
[[nodiscard]] HistogramPlotValue entropyHistograms();
[[nodiscard]] HistogramPlotValue mutualInformationHistograms();
[[nodiscard]] ReliabilityDiagram reliabilityDiagram();
[[nodiscard]] CurvePlotValue rocCurves();
[[nodiscard]] CurvePlotValue precisionRecallCurves();
[[nodiscard]] CurvePlotValue rejectionCurves();
[[nodiscard]] ItemProbabilities ambiguousDigit(int draws = 100);
[[nodiscard]] std::vector<KeyValue> itemMeasures();
[[nodiscard]] std::vector<MetricTableRow> metricRows();
[[nodiscard]] std::vector<GalleryItem> galleryItems(int count);
/// A digit drawn on 28 x 28 pixels, light on dark or dark on light.
[[nodiscard]] QImage digitImage(int digit, bool dark);

/// One option of every kind.
struct EveryOption {
  bool keep_samples = true;
  std::int64_t draws = 50;
  double drop_rate = 0.5;
  std::string map = "probit";
  std::string note;
  std::optional<double> prior_precision;
  std::vector<std::int64_t> sites;
  [[nodiscard]] std::vector<Field> fields();
};

}  // namespace dubito::test
