// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curve_plot.h"

#include <QFile>
#include <QSignalSpy>
#include <cmath>
#include <limits>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "tests/widgets/preview_data.h"
#include "widgets/curve_legend_qcp.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

const CurveLegend* legendOf(const QCustomPlot& plot) {
  for (const QCPLayoutElement* const element : plot.plotLayout()->elements(true)) {
    if (const auto* legend = dynamic_cast<const CurveLegend*>(element)) {
      return legend;
    }
  }
  return nullptr;
}

}  // namespace

class CurvePlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aShadedRangeHasItsName() {
    CurvePlot widget;
    CurvePlotValue value;
    value.kind = CurvePlotValue::Kind::kGeneric;
    value.curves.push_back({{"a", {0.0, 10.0}, {1.0, 2.0}, std::nan("")}});
    value.shade = CurveShade{{0.0, 4.0}, "warm-up"};
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.itemCount(), 2);
    const auto* const area = qobject_cast<QCPItemRect*>(plot.item(0));
    QCOMPARE(area->topLeft->coords().x(), 0.0);
    QCOMPARE(area->bottomRight->coords().x(), 4.0);
    QCOMPARE(qobject_cast<QCPItemText*>(plot.item(1))->text(), "warm-up");
    // The range does not widen the axis, and goes with its value.
    QCOMPARE(plot.xAxis->range().upper, 10.0);
    value.shade = std::nullopt;
    widget.setCurves(value);
    QCOMPARE(plot.itemCount(), 0);
  }

  void valuesThatAreNotFiniteAreGaps() {
    CurvePlot widget;
    CurvePlotValue value;
    value.kind = CurvePlotValue::Kind::kGeneric;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    value.curves.push_back({{"gaps", {0.0, 1.0, 2.0, 3.0}, {nan, 1.0, nan, nan}, nan}});
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    QVERIFY(plot.legend != nullptr);
    QCOMPARE(plot.yAxis->range().center(), 1.0);
  }

  void logarithmicAxesHaveTicksAtPowersOfTen() {
    CurvePlot widget;
    CurvePlotValue value;
    value.kind = CurvePlotValue::Kind::kGeneric;
    value.x_is_share = false;
    value.y_is_share = false;
    value.x_is_logarithmic = true;
    value.y_is_logarithmic = true;
    const double nan = std::nan("");
    // A point that is not positive does not widen the axis.
    value.curves.push_back({{"a", {1.0, 100.0, 10000.0}, {0.0, 0.5, 2e-5}, nan}});
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.xAxis->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(tickTexts(*plot.xAxis), (QStringList{"1", "10", "100", "1\u202F000", "10⁴"}));
    QCOMPARE(tickTexts(*plot.yAxis), (QStringList{"10⁻⁴", "0.001", "0.01", "0.1"}));
    QVERIFY(plot.yAxis->range().lower > 1e-5);
    // Within one power, 2 and 5 help.
    value.curves[0].curve.x = {1.0, 2.0, 8.0};
    widget.setCurves(value);
    QCOMPARE(tickTexts(*plot.xAxis), (QStringList{"1", "2", "5"}));
    value.x_is_logarithmic = false;
    widget.setCurves(value);
    QCOMPARE(plot.xAxis->scaleType(), QCPAxis::stLinear);
  }

  void curvesMayBeThinAndWithoutALegend() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    value.curves[1].is_thin = true;
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    QVERIFY(legendOf(plot)->visible());
    QVERIFY(plot.graph(1)->pen().widthF() > 1.0);
    QCOMPARE(plot.graph(2)->pen().widthF(), 1.0);
    value.has_legend = false;
    widget.setCurves(value);
    QTRY_VERIFY(!legendOf(plot)->visible());
  }

  void aLegendMayBeInExportedPicturesAlone() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    value.has_legend = false;
    value.exports_legend = true;
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget, {640, 480});
    QVERIFY(!legendOf(plot)->visible());
    const TempDir folder;
    const auto svgOf = [&](const char* name) {
      const QString path = QString::fromStdString(folder.file(name));
      if (!widget.saveAs(path)) {
        return QByteArray();
      }
      QFile file(path);
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(svgOf("with.svg").contains("entropy"));
    QVERIFY(!legendOf(plot)->visible());
    value.exports_legend = false;
    widget.setCurves(value);
    QVERIFY(!svgOf("without.svg").contains("entropy"));
  }

  void curvesMayBeMarkedAndStronger() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    value.curves[1].marker = 2;
    value.curves[1].is_strong = true;
    widget.setCurves(value);
    const QCustomPlot& plot = shown(widget);
    QVERIFY(plot.graph(1)->scatterStyle().isNone());
    QCOMPARE(plot.graph(2)->scatterStyle().shape(), QCPScatterStyle::ssTriangle);
    QVERIFY(plot.graph(2)->dataCount() / (plot.graph(2)->scatterSkip() + 1) >= 8);
    QVERIFY(plot.graph(2)->pen().widthF() > plot.graph(1)->pen().widthF());
  }

  void drawsEveryCurveWithItsSummary() {
    CurvePlot widget;
    const CurvePlotValue value = rocCurves();
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    // Diagonal, three curves, marker.
    QCOMPARE(plot.graphCount(), 5);
    QCOMPARE(plot.graph(0)->dataMainValue(1), 1.0);
    for (std::size_t c = 0; c < 3; ++c) {
      const QCPGraph* graph = plot.graph(static_cast<int>(c) + 1);
      const Curve& curve = value.curves[c].curve;
      QCOMPARE(graph->dataCount(), static_cast<int>(curve.x.size()));
      QCOMPARE(graph->dataMainKey(100), curve.x[100]);
      QCOMPARE(graph->dataMainValue(100), curve.y[100]);
    }
    QCOMPARE(plot.graph(1)->name(), "entropy  0.9564");
    QVERIFY(plot.graph(1)->pen().style() == Qt::SolidLine);
    QVERIFY(plot.graph(2)->pen().style() == Qt::CustomDashLine);
    QVERIFY(plot.graph(2)->pen().dashPattern() != plot.graph(3)->pen().dashPattern());
    // The heading stands in the same grid.
    QCOMPARE(legendOf(plot)->elementCount(), 4);
    QVERIFY(legendOf(plot)->hasItemWithPlottable(plot.graph(3)));
    QVERIFY(!legendOf(plot)->hasItemWithPlottable(plot.graph(0)));
    QCOMPARE(legendOf(plot)->heading(), "AUROC");
  }

  void theSameCurvesKeepTheirNames() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    // Wider than the names: the legend is as large without them.
    value.summary_name = "AUROC of the correct items against all others";
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget, {640, 480});
    const QString name = plot.graph(1)->name();
    QCOMPARE(name, QString("entropy  0.9564"));
    // As another theme does, or another run with the same curves.
    widget.setCurves(value);
    plot.replot();
    QCOMPARE(plot.graph(1)->name(), name);
  }

  void rocIsSquare() {
    CurvePlot widget;
    widget.setCurves(rocCurves());
    QCustomPlot& plot = shown(widget, {640, 300});
    const QCPAxisRect* rect = plot.axisRect();
    QVERIFY(std::abs(rect->width() - rect->height()) <= 2);
  }

  void rocGrowsWideForLongNames() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    for (StyledCurve& styled : value.curves) {
      styled.curve.name = "MC dropout, fifty draws of a network";
    }
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget, {640, 260});
    const auto ratio = [&plot] {
      return static_cast<double>(plot.axisRect()->width()) / plot.axisRect()->height();
    };
    QTRY_VERIFY(ratio() > 1.2);
    QVERIFY(ratio() < 1.65);
    QTRY_COMPARE(plot.graph(1)->name(), "MC dropout, fifty draws of a network  0.9564");
    const QSize size = plot.size();
    plot.replot();
    QCoreApplication::processEvents();
    QCOMPARE(plot.size(), size);
    widget.setCurves(rocCurves());
    QTRY_VERIFY(std::abs(ratio() - 1.0) < 0.02);
  }

  void theLevelIsDraggedByItsLineAndByTheMarker() {
    CurvePlot widget;
    CurvePlotValue value;
    value.kind = CurvePlotValue::Kind::kGeneric;
    value.curves.push_back({.curve = {.name = "right", .x = {0.0, 1.0}, .y = {1.0, 0.7}}});
    value.level = {.y = 0.9, .range = {0.8, 0.95}, .name = "guaranteed"};
    value.y_range = Interval{0.7, 1.0};
    widget.setCurves(value);
    widget.setMarker(QPointF(0.2, 0.94));
    QCustomPlot& plot = shown(widget);
    QSignalSpy moved(&widget, &CurvePlot::levelMoved);
    QSignalSpy released(&widget, &CurvePlot::levelReleased);
    const double pixel = 0.3 / plot.axisRect()->height();
    const auto isLevel = [&](double y) {
      return std::abs(widget.curves().level->y - y) <= 1.5 * pixel;
    };
    drag(plot, pixelOf(plot, 0.6, 0.9), pixelOf(plot, 0.6, 0.85));
    QVERIFY(isLevel(0.85));
    QVERIFY(moved.count() >= 3);
    QCOMPARE(released.count(), 1);
    QCOMPARE(released[0][0].toDouble(), widget.curves().level->y);
    QVERIFY(!widget.isZoomed());  // the axes were not dragged
    // The line keeps its distance from a marker that was grabbed.
    drag(plot, pixelOf(plot, 0.2, 0.94), pixelOf(plot, 0.2, 0.97));
    QVERIFY2(isLevel(0.88), qPrintable(QString::number(widget.curves().level->y)));
    drag(plot, pixelOf(plot, 0.6, 0.88), pixelOf(plot, 0.6, 0.72));
    QCOMPARE(widget.curves().level->y, 0.8);  // the end of its range
    // Elsewhere the plot does what it did before.
    moved.clear();
    drag(plot, pixelOf(plot, 0.6, 0.9), pixelOf(plot, 0.5, 0.9));
    QCOMPARE(moved.count(), 0);
    QVERIFY(widget.hoverText(pixelOf(plot, 0.5, 0.8)).startsWith("guaranteed: 80.00 %"));
    // The exported numbers have it.
    QVERIFY(widget.csv().contains("guaranteed,"));
    value.level.reset();
    widget.setCurves(value);
    drag(plot, pixelOf(plot, 0.6, 0.8), pixelOf(plot, 0.6, 0.9));
    QCOMPARE(moved.count(), 0);
  }

  void theLegendAvoidsReferences() {
    CurvePlot widget;
    CurvePlotValue value;
    value.kind = CurvePlotValue::Kind::kGeneric;
    value.x_is_share = false;
    value.y_is_share = false;
    // As wrong labels found: early, and evenly in random order. Below it is room.
    std::vector<double> x;
    std::vector<double> y;
    for (int i = 0; i <= 100; ++i) {
      x.push_back(i);
      y.push_back(20.0 * (1.0 - std::exp(-0.1 * i)));
    }
    value.curves.push_back({.curve = {.name = "found", .x = x, .y = y, .summary = std::nan("")}});
    value.curves.push_back({.curve = {.name = "random order",
                                      .x = {0.0, 100.0},
                                      .y = {0.0, 2.0},
                                      .summary = std::nan("")},
                            .dash = 1,
                            .role = StyledCurve::Role::kReference});
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    const QRect legend = legendOf(plot)->outerRect();
    for (double at = 0.0; at <= 100.0; at += 0.5) {
      const QPoint point = pixelOf(plot, at, 0.02 * at);
      QVERIFY2(!legend.contains(point), qPrintable(QString::number(at)));
    }
  }

  void axesOfSharesArePerCent() {
    CurvePlot widget;
    widget.setCurves(rocCurves());
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.xAxis->label(), "false positive rate (%)");
    const QStringList whole = {"0", "20", "40", "60", "80", "100"};
    QCOMPARE(tickTexts(*plot.xAxis), whole);
    QCOMPARE(tickTexts(*plot.yAxis), whole);
    CurvePlotValue value = rejectionCurves();
    value.x_is_share = false;
    value.curves.resize(1);
    widget.setCurves(value);
    QCustomPlot& zoomed = shown(widget);
    QCOMPARE(zoomed.xAxis->label(), "kept fraction");
    QCOMPARE(tickTexts(*zoomed.xAxis).last(), "1.0");
    QCOMPARE(zoomed.yAxis->label(), "accuracy (%)");
    QCOMPARE(tickTexts(*zoomed.yAxis).last(), "100.0");
    QVERIFY(widget.hoverText(pixelOf(zoomed, 1.0, 0.9822)).endsWith("\naccuracy 98.22 %"));
  }

  void precisionRecallIsDrawnAsSteps() {
    CurvePlot widget;
    CurvePlotValue value = precisionRecallCurves();
    // Falling recall, as a sweep of the threshold gives it.
    Curve& curve = value.curves[0].curve;
    std::reverse(curve.x.begin(), curve.x.end());
    std::reverse(curve.y.begin(), curve.y.end());
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.graph(1)->lineStyle(), QCPGraph::lsStepRight);
    QCOMPARE(plot.graph(1)->dataMainKey(0), 0.0);
    QCOMPARE(plot.graph(0)->dataMainValue(0), 0.4955);
    QCOMPARE(plot.yAxis->range().upper, 1.0);
    QVERIFY(plot.yAxis->range().lower <= 0.4955);
  }

  void theLegendCoversNoCurve() {
    for (const CurvePlotValue& value : {rocCurves(), precisionRecallCurves(), rejectionCurves()}) {
      CurvePlot widget;
      widget.setCurves(value);
      QCustomPlot& plot = shown(widget, {480, 400});
      const QRect legend = legendOf(plot)->outerRect();
      QVERIFY(plot.axisRect()->rect().contains(legend));
      for (const StyledCurve& styled : value.curves) {
        for (std::size_t i = 0; i < styled.curve.x.size(); ++i) {
          QVERIFY(!legend.contains(pixelOf(plot, styled.curve.x[i], styled.curve.y[i])));
        }
      }
    }
  }

  void aLegendWithoutRoomBetweenTheCurvesStandsAboveThem() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    Curve& zigzag = value.curves[0].curve;
    for (std::size_t i = 0; i < zigzag.x.size(); ++i) {
      zigzag.x[i] = static_cast<double>(i) / static_cast<double>(zigzag.x.size() - 1);
      zigzag.y[i] = i % 20 < 10 ? 0.0 : 1.0;
    }
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget, {480, 400});
    const auto legend = [&plot] { return legendOf(plot)->outerRect(); };
    const auto isAbove = [&] {
      return legend().bottom() < plot.axisRect()->top() && plot.viewport().contains(legend());
    };
    const auto settle = [&] {
      for (int pass = 0; pass < 3; ++pass) {
        plot.replot(QCustomPlot::rpImmediateRefresh);
        QCoreApplication::processEvents();
      }
    };
    settle();
    QVERIFY(isAbove());
    const int one_line = legend().height();
    // If a line has no room for all, there are more lines, and every name stays whole.
    widget.resize(220, 300);
    settle();
    QVERIFY(isAbove());
    QVERIFY(legend().height() > one_line);
    QCOMPARE(plot.graph(3)->name(), "MI  0.9541");
    QVERIFY(plot.axisRect()->height() > 100);
    // Zooming in or out moves it nowhere.
    plot.xAxis->setRange(0.4, 0.404);
    settle();
    QVERIFY(isAbove());
    widget.resetZoom();
    // With room between the curves it stands there again.
    widget.setCurves(rocCurves());
    widget.resize(480, 400);
    settle();
    QVERIFY(plot.axisRect()->rect().contains(legend()));
    QCOMPARE(plot.plotLayout()->rowCount(), 1);
  }

  void longNamesLeaveTheFigureReadable() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    value.curves[2].curve.name = "mutual information of a very long method name";
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget, {260, 240});
    QVERIFY(plot.graph(3)->name().endsWith("…  0.9541"));
    QVERIFY(legendOf(plot)->outerRect().width() <= plot.axisRect()->width());
  }

  void shortNamesStandWhereWholeOnesHaveNoRoom() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    value.curves[2].curve.name = "mutual information";
    value.curves[2].short_name = "MI";
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget, {480, 400});
    QCOMPARE(plot.graph(3)->name(), "mutual information  0.9541");
    widget.resize(200, 240);
    QCoreApplication::processEvents();
    plot.replot(QCustomPlot::rpImmediateRefresh);
    QCOMPARE(plot.graph(3)->name(), "MI  0.9541");
  }

  void theCurvesOfASelectionAreToldFromThoseOfAllItems() {
    CurvePlot widget;
    CurvePlotValue value = rocCurves();
    value.curves.resize(2);
    value.curves[0].role = StyledCurve::Role::kBackground;
    value.curves[1].role = StyledCurve::Role::kSelection;
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.graph(2)->pen().color(), currentTheme().selection);
    QVERIFY(plot.graph(1)->pen().color() != plot.graph(2)->pen().color());
    QVERIFY(!legendOf(plot)->hasItemWithPlottable(plot.graph(1)));
    QVERIFY(legendOf(plot)->hasItemWithPlottable(plot.graph(2)));
    QSignalSpy selected(&widget, &CurvePlot::pointSelected);
    // A click near the other curve means its point; elsewhere none.
    const Curve& of_all = value.curves[0].curve;
    const std::size_t middle = of_all.x.size() / 2;
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, of_all.x[middle], of_all.y[middle]));
    QCOMPARE(selected.count(), 1);
    QCOMPARE(selected[0][0].toInt(), 0);
    value.curves[0].curve = Curve{"far", {0.0, 1.0}, {0.0, 0.0}, std::nan("")};
    widget.setCurves(value);
    const Curve& of_selection = value.curves[1].curve;
    QTest::mouseClick(&plot, Qt::LeftButton, {},
                      pixelOf(plot, of_selection.x[middle], of_selection.y[middle]));
    QCOMPARE(selected.count(), 1);
  }

  void clickingACurveNamesThePoint() {
    CurvePlot widget;
    Curve curve{"only", {0.0, 0.25, 0.5, 1.0}, {0.0, 0.7, 0.9, 1.0}, std::nan("")};
    widget.setCurves({.kind = CurvePlotValue::Kind::kRoc,
                      .curves = {{curve}},
                      .summary_name = {},
                      .baseline = {},
                      .x_label = "FPR",
                      .y_label = "TPR"});
    QCustomPlot& plot = shown(widget);
    QSignalSpy selected(&widget, &CurvePlot::pointSelected);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 0.5, 0.9) + QPoint(3, 2));
    QCOMPARE(selected.count(), 1);
    QCOMPARE(selected[0][0].toInt(), 0);
    QCOMPARE(selected[0][1].toInt(), 2);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 0.8, 0.2));
    QCOMPARE(selected.count(), 1);
    QCOMPARE(widget.hoverText(pixelOf(plot, 0.25, 0.7)), "only\nFPR 25.00 %\nTPR 70.00 %");
    QCOMPARE(plot.graph(1)->name(), "only");
  }

  void theMarkerStandsWhereItWasPut() {
    CurvePlot widget;
    widget.setCurves(rocCurves());
    widget.setMarker(QPointF(0.28, 0.944));
    const QCustomPlot& plot = innerPlot(widget);
    const QCPGraph* marker = plot.graph(plot.graphCount() - 1);
    QCOMPARE(marker->dataCount(), 1);
    QCOMPARE(marker->dataMainKey(0), 0.28);
    widget.setMarker(std::nullopt);
    QCOMPARE(plot.graph(plot.graphCount() - 1)->dataCount(), 0);
  }

  void csvIsEveryPoint() {
    CurvePlot widget;
    const CurvePlotValue value = rocCurves();
    widget.setCurves(value);
    const QStringList lines = widget.csv().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + 3 * 401);
    QCOMPARE(lines[0], "curve,x,y");
    const QStringList cells = lines[1 + 401 + 57].split(',');
    QCOMPARE(cells[0], "confidence");
    QCOMPARE(cells[1].toDouble(), value.curves[1].curve.x[57]);
    QCOMPARE(cells[2].toDouble(), value.curves[1].curve.y[57]);
  }

  void draggingPansOnlyInsideTheRange() {
    CurvePlot widget;
    widget.setCurves(precisionRecallCurves());
    QCustomPlot& plot = shown(widget);
    plot.xAxis->setRange(0.2, 0.6);
    drag(plot, pixelOf(plot, 0.3, 0.7), pixelOf(plot, 0.3, 0.7) + QPoint(4000, 0));
    QCOMPARE(plot.xAxis->range().lower, 0.0);
    QVERIFY(std::abs(plot.xAxis->range().size() - 0.4) < 1e-9);
    widget.resetZoom();
    QCOMPARE(plot.xAxis->range().upper, 1.0);
  }

  void curvesMayBeReplacedWhileThePlotIsSeen() {
    CurvePlot widget;
    widget.resize(420, 240);
    widget.setCurves(rocCurves());
    shown(widget);
    // Another kind has another aspect, so that the inner plot is laid out in the middle of it.
    widget.setCurves(precisionRecallCurves());
    CurvePlotValue fewer = rocCurves();
    fewer.curves.resize(1);
    widget.setCurves(fewer);
    QCOMPARE(shown(widget).graphCount(), 3);
  }

  void bandsAreAreasBelowTheirCurve() {
    CurvePlot widget;
    CurvePlotValue value;
    value.kind = CurvePlotValue::Kind::kGeneric;
    StyledCurve curve;
    curve.curve = {.name = "regret", .x = {0.0, 1.0}, .y = {0.0, 2.0}, .summary = std::nan("")};
    curve.intervals = {{0.0, 0.0}, {1.5, 4.0}};
    curve.is_band = true;
    value.curves = {curve};
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    for (int i = 0; i < plot.plottableCount(); ++i) {
      QVERIFY(qobject_cast<QCPErrorBars*>(plot.plottable(i)) == nullptr);
    }
    // After the baseline: the lower edge, the area up to the upper one, the curve.
    QCOMPARE(plot.graph(2)->channelFillGraph(), plot.graph(1));
    QCOMPARE(plot.graph(1)->data()->at(1)->value, 1.5);
    QCOMPARE(plot.graph(2)->data()->at(1)->value, 4.0);
    QCOMPARE(plot.graph(3)->data()->at(1)->value, 2.0);
    QVERIFY(plot.yAxis->range().upper > 4.0);
    QCOMPARE(widget.table().rows[1][4].toDouble(), 4.0);
  }

  void intervalsAreBarsAndInTheTable() {
    CurvePlot widget;
    widget.resize(420, 240);
    CurvePlotValue value;
    value.kind = CurvePlotValue::Kind::kGeneric;
    value.x_is_share = false;
    value.interval_name = QStringLiteral("95 % interval");
    StyledCurve curve;
    curve.curve = {.name = "learned", .x = {0.0, 100.0}, .y = {0.5, 0.8}, .summary = std::nan("")};
    curve.intervals = {{0.25, 0.625}, {0.75, 0.875}};
    value.curves = {curve};
    curve.curve.name = "plain";
    curve.intervals.clear();
    value.curves.push_back(curve);
    widget.setCurves(value);
    QCustomPlot& plot = shown(widget);
    const auto barsOf = [&plot] {
      QList<QCPErrorBars*> bars;
      for (int i = 0; i < plot.plottableCount(); ++i) {
        if (auto* const one = qobject_cast<QCPErrorBars*>(plot.plottable(i))) {
          bars << one;
        }
      }
      return bars;
    };
    QCOMPARE(barsOf().size(), 1);
    QCOMPARE(barsOf()[0]->dataPlottable(), plot.graph(1));
    QCOMPARE(barsOf()[0]->data()->at(0).errorMinus, 0.25);
    QCOMPARE(barsOf()[0]->data()->at(1).errorPlus, 0.875 - 0.8);
    QVERIFY(plot.yAxis->range().lower < 0.25 && plot.yAxis->range().upper > 0.875);
    QVERIFY(widget.hoverText(pixelOf(plot, 100.0, 0.8)).contains("95 % interval 75"));
    const PlotTable table = widget.table();
    QCOMPARE(table.columns, QStringList({"curve", "x", "y", "low", "high"}));
    QCOMPARE(table.rows[1][3].toDouble(), 0.75);
    QVERIFY(std::isnan(table.rows[2][3].toDouble()));
    widget.setCurves(rocCurves());
    QCOMPARE(barsOf().size(), 0);
  }
};

}  // namespace dubito::test

#include "curve_plot_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::CurvePlotTest)
