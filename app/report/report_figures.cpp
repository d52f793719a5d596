// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report_figures.h"

#include <QSvgRenderer>

#include "app/compare/compare_values.h"
#include "app/explore/overview_values.h"
#include "app/shift/shift_values.h"
#include "app/words/words.h"
#include "core/analysis/comparison.h"
#include "widgets/confusion_matrix.h"
#include "widgets/curve_plot.h"
#include "widgets/export_note.h"
#include "widgets/histogram_plot.h"
#include "widgets/reliability_plot.h"
#include "widgets/theme.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr QSize kFigure(420, 300);
constexpr QSize kSquareFigure(420, 360);
constexpr int kMaxConfusionClasses = 200;  // beyond this a cell is smaller than a pixel

QString withFullStop(const QString& text) {
  return text.endsWith(u'.') ? text : text + u'.';
}

class Figures {
 public:
  explicit Figures(const Analysis& analysis) : labels_(labelsText(analysis)) {}
  /// `fill` sets the value of the plot.
  template <class Plot, class Fill>
  void add(const QString& section, const QString& title, const QString& caption, const QSize& size,
           const Fill& fill) {
    Plot plot;
    plot.resize(size);
    fill(plot);
    setExportNote(plot, labels_);
    const QByteArray svg = plot.renderSvg(size);
    figures_.push_back(
        {section, title,
         labels_.isEmpty() ? caption : tr("%1 With %2.").arg(withFullStop(caption), labels_), svg,
         // With its margins: the picture keeps its proportions.
         QSvgRenderer(svg).viewBox().size()});
  }
  std::vector<ReportFigure> take() { return std::move(figures_); }

 private:
  QString labels_;  ///< named in every caption if not empty
  std::vector<ReportFigure> figures_;
};

void addCurves(const CurvePlotValue& value, const QString& section, const QString& title,
               const QString& caption, Figures& figures) {
  if (!value.curves.empty()) {
    figures.add<CurvePlot>(section, title, caption, kSquareFigure,
                           [&](CurvePlot& plot) { plot.setCurves(value); });
  }
}

void addOverview(const ReportSource& source, Figures& figures) {
  const Analysis& analysis = *source.analysis;
  const Overview& overview = analysis.overview;
  for (const Overview::ScoreHistograms& histograms : overview.histograms) {
    const HistogramPlotValue value = histogramValue(histograms, [](ItemGroup) { return true; });
    if (!value.groups.empty()) {
      QString title = value.quantity;
      title[0] = title[0].toUpper();
      figures.add<HistogramPlot>(tr("Uncertainty"), title,
                                 tr("Share of each group per bin, on a square-root scale."),
                                 kFigure, [&](HistogramPlot& plot) { plot.setHistograms(value); });
    }
  }
  const ReliabilityDiagram& diagram =
      source.reliability ? source.reliability->diagram : overview.reliability;
  if (diagram.total > 0) {
    figures.add<ReliabilityPlot>(
        tr("Calibration"), tr("Reliability, ECE %1").arg(shareText(diagram.ece)),
        tr("%1. Bars: accuracy per bin, with its Wilson 95 % interval; below: items per bin.")
            .arg(QString::fromStdString(diagram.convention)),
        kSquareFigure, [&](ReliabilityPlot& plot) { plot.setDiagram(diagram); });
  }
  const QString ranking = QString::fromStdString(overview.ranking_convention);
  addCurves(rocValue(overview, nullptr), tr("Detection and rejection"), tr("ROC"), ranking,
            figures);
  addCurves(precisionRecallValue(overview, nullptr), tr("Detection and rejection"),
            tr("Precision–recall"), tr("%1. AP: step interpolation.").arg(ranking), figures);
  if (!overview.rejection.empty()) {
    addCurves(rejectionValue(overview, nullptr), tr("Detection and rejection"), tr("Rejection"),
              tr("Accuracy on retained items, most certain first. Dashed: random rejection."),
              figures);
  }
  const std::int64_t classes = analysis.confusion.empty() ? 0 : analysis.confusion.extent(0);
  if (classes > 0 && classes <= kMaxConfusionClasses) {
    ConfusionValue value;
    value.counts = analysis.confusion;
    for (std::int64_t k = 0; k < classes; ++k) {
      value.class_names << className(analysis, k);
    }
    figures.add<ConfusionMatrix>(tr("Classes"), tr("Confusion matrix"),
                                 tr("Items by true and predicted class."), kSquareFigure,
                                 [&](ConfusionMatrix& matrix) { matrix.setValue(value); });
  }
}

void addComparison(const ReportSource& source, Figures& figures) {
  if (source.compared.size() < 2) {
    return;
  }
  const std::vector<ComparedRun> runs = compareRuns(source.compared, source.names);
  if (runs.size() < 2) {
    return;
  }
  const QString section = tr("Comparison");
  const QString by_confidence = tr("By confidence.");
  addCurves(compareReliability(runs, *source.analysis), section, tr("Reliability of all runs"),
            tr("Accuracy against mean confidence in non-empty bins."), figures);
  addCurves(compareRoc(runs, *source.analysis, "confidence"), section, tr("ROC of all runs"),
            by_confidence, figures);
  addCurves(compareRejection(runs, *source.analysis, "confidence"), section,
            tr("Rejection of all runs"), by_confidence, figures);
}

}  // namespace

std::vector<ReportFigure> reportFigures(const ReportSource& source) {
  const ThemeScope light(Theme::light());
  Figures figures(*source.analysis);
  addOverview(source, figures);
  addComparison(source, figures);
  if (source.shift) {
    const QString section = tr("Shift");
    const QString caption = shiftCaption(*source.shift);
    addCurves(shiftCalibrationCurves(*source.shift), section, tr("Accuracy and calibration"),
              caption, figures);
    addCurves(shiftUncertaintyCurves(*source.shift), section, tr("Uncertainty under shift"),
              caption, figures);
  }
  return figures.take();
}

}  // namespace dubito
