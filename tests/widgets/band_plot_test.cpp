// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/band_plot.h"

#include <QSignalSpy>
#include <QWheelEvent>
#include <cmath>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

/// Points on y = x, a mean of 2 x, and bands of constant width.
BandPlotValue someBands() {
  BandPlotValue value;
  value.x_label = "x";
  value.y_label = "y";
  value.x_range = {0.0, 10.0};
  value.y_range = {-10.0, 30.0};
  for (int i = 0; i <= 10; ++i) {
    value.x.push_back(i);
    value.mean.push_back(2.0 * i);
    value.std_epistemic.push_back(1.0);
    value.std_total.push_back(3.0);
  }
  value.point_x = {7.0, 2.0, 5.0};
  value.point_y = {7.0, 2.0, 5.0};
  return value;
}

double valueOf(const QCPGraph& graph, double x) {
  return graph.data()->findBegin(x, false)->value;
}

/// The graphs of a layer, in the order in which they were added.
QList<QCPGraph*> graphsOn(const QCustomPlot& plot, const char* layer) {
  QList<QCPGraph*> graphs;
  for (int i = 0; i < plot.graphCount(); ++i) {
    if (plot.graph(i)->layer()->name() == QLatin1String(layer)) {
      graphs << plot.graph(i);
    }
  }
  return graphs;
}

}  // namespace

class BandPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theBandsAreTwoStandardDeviationsWide() {
    BandPlot widget;
    widget.setValue(someBands());
    QCustomPlot& plot = shown(widget);
    const QList<QCPGraph*> bands = graphsOn(plot, "bands");
    QCOMPARE(bands.size(), 4);
    QCOMPARE(valueOf(*bands[0], 3.0), 6.0 - 6.0);
    QCOMPARE(valueOf(*bands[1], 3.0), 6.0 + 6.0);
    QCOMPARE(valueOf(*bands[2], 3.0), 6.0 - 2.0);
    QCOMPARE(valueOf(*bands[3], 3.0), 6.0 + 2.0);
    QCOMPARE(bands[1]->channelFillGraph(), bands[0]);
    QCOMPARE(bands[3]->channelFillGraph(), bands[2]);
    QVERIFY(bands[3]->brush().color().alpha() > bands[1]->brush().color().alpha());
  }

  void theAxesTakeAllWidthWithAndWithoutALegend() {
    for (const int height : {160, 400}) {
      BandPlot widget;
      widget.setValue(someBands());
      const QCustomPlot& plot = shown(widget);
      widget.resize(600, height);
      QTRY_VERIFY2(plot.axisRect()->width() > 500,
                   qPrintable(QString::number(plot.axisRect()->width())));
      QTRY_VERIFY(plot.axisRect()->height() > height - 100);
    }
  }

  void theLegendSaysWhichBandIsWhich() {
    BandPlot widget;
    BandPlotValue value = someBands();
    value.truth = Curve{"truth", {0.0, 10.0}, {0.0, 10.0}, 0.0};
    widget.setValue(value);
    const QCustomPlot& plot = shown(widget);
    QStringList names;
    for (int i = 0; i < plot.legend->itemCount(); ++i) {
      names << qobject_cast<QCPPlottableLegendItem*>(plot.legend->item(i))->plottable()->name();
    }
    QCOMPARE(names,
             QStringList({"mean", BandPlot::epistemicText(), BandPlot::totalText(), "truth"}));
    // It covers no data.
    QVERIFY(!plot.legend->outerRect().intersects(plot.axisRect()->rect()));
    QVERIFY(plot.legend->outerRect().height() > 0);
    widget.resize(420, 160);
    QTRY_VERIFY(!plot.legend->visible());
  }

  void pointsHaveTheColourOfTheText() {
    BandPlot widget;
    widget.setValue(someBands());
    const QCPScatterStyle style = graphsOn(shown(widget), "main")[1]->scatterStyle();
    // A disc would take the colour of its pen.
    QCOMPARE(style.shape(), QCPScatterStyle::ssCircle);
    QCOMPARE(style.brush().color().rgb(), currentTheme().text.rgb());
  }

  void theWheelZoomsBeyondTheDataAndSaysSo() {
    BandPlot widget;
    widget.setValue(someBands());
    QCustomPlot& plot = shown(widget);
    QSignalSpy changed(&widget, &BandPlot::viewChanged);
    QVERIFY(!widget.isZoomed());
    const QPointF middle = plot.axisRect()->center();
    QWheelEvent out(middle, plot.mapToGlobal(middle), QPoint(), QPoint(0, -240), Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&plot, &out);
    QVERIFY(changed.size() >= 1);
    QVERIFY(widget.isZoomed());
    QVERIFY(widget.value().x_range.low < -0.5 && widget.value().x_range.high > 10.5);
    QVERIFY(widget.value().y_range.low < -11.0 && widget.value().y_range.high > 31.0);
    QCOMPARE(plot.xAxis->range().lower, widget.value().x_range.low);
    // Whoever owns the points decides which ranges fit.
    QSignalSpy fit(&widget, &BandPlot::fitRequested);
    widget.resetZoom();
    QCOMPARE(fit.size(), 1);
    const auto before = changed.size();
    widget.setView({0.0, 10.0}, {-10.0, 30.0}, true);
    QCOMPARE(changed.size(), before);
    QVERIFY(!widget.isZoomed());
    QCOMPARE(plot.xAxis->range().upper, 10.0);
  }

  void draggingWithShiftMovesTheViewWithEveryTool() {
    BandPlot widget;
    widget.setValue(someBands());
    widget.setPointTool(BandPlot::PointTool::kEdit);
    QCustomPlot& plot = shown(widget);
    QSignalSpy added(&widget, &BandPlot::pointAdded);
    QSignalSpy moved(&widget, &BandPlot::pointMoved);
    // From a point, which would be moved without Shift.
    const QPoint from = pixelOf(plot, 5.0, 5.0);
    const QPoint to = pixelOf(plot, 7.0, 5.0);
    QTest::mousePress(&plot, Qt::LeftButton, Qt::ShiftModifier, from);
    for (const QPoint& at : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                       Qt::ShiftModifier);
      QCoreApplication::sendEvent(&plot, &move);
    }
    QTest::mouseRelease(&plot, Qt::LeftButton, Qt::ShiftModifier, to);
    QCOMPARE(added.size() + moved.size(), 0);
    QVERIFY(std::abs(widget.value().x_range.low + 2.0) < 0.2);
    QVERIFY(std::abs(widget.value().x_range.high - 8.0) < 0.2);
    // Without Shift, the tool works as before.
    const double low = widget.value().x_range.low;
    drag(plot, pixelOf(plot, 2.0, 2.0), pixelOf(plot, 4.0, 2.0));
    QVERIFY(moved.size() >= 1);
    QCOMPARE(widget.value().x_range.low, low);
  }

  void theMeanHasTheDashOfItsMethod() {
    BandPlot widget;
    BandPlotValue value = someBands();
    widget.setValue(value);
    const QCustomPlot& plot = shown(widget);
    const QCPGraph& mean = *graphsOn(plot, "main")[2];
    QCOMPARE(mean.pen().style(), Qt::SolidLine);
    value.dash = 1;
    widget.setValue(value);
    QVERIFY(mean.pen().style() != Qt::SolidLine);
  }

  void drawsComeAndGo() {
    BandPlot widget;
    BandPlotValue value = someBands();
    value.draws = {{"", value.x, value.mean, 0.0}, {"", value.x, value.mean, 0.0}};
    widget.setValue(value);
    const QCustomPlot& plot = shown(widget);
    QCOMPARE(graphsOn(plot, "draws").size(), 2);
    value.draws.pop_back();
    widget.setValue(value);
    QCOMPARE(graphsOn(plot, "draws").size(), 1);
  }

  void clicksAddPointsOnlyWithTheTool() {
    BandPlot widget;
    widget.setValue(someBands());
    QCustomPlot& plot = shown(widget);
    QSignalSpy added(&widget, &BandPlot::pointAdded);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 4.0, 20.0));
    QCOMPARE(added.size(), 0);
    widget.setPointTool(BandPlot::PointTool::kEdit);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 4.0, 20.0));
    QCOMPARE(added.size(), 1);
    QVERIFY(std::abs(added[0][0].toDouble() - 4.0) < 0.1);
    QVERIFY(std::abs(added[0][1].toDouble() - 20.0) < 0.5);
    // A click on a point takes it instead of adding one.
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 5.0, 5.0));
    QCOMPARE(added.size(), 1);
  }

  void draggedPointsKeepTheirIndex() {
    BandPlot widget;
    widget.setValue(someBands());
    widget.setPointTool(BandPlot::PointTool::kEdit);
    QCustomPlot& plot = shown(widget);
    QSignalSpy moved(&widget, &BandPlot::pointMoved);
    drag(plot, pixelOf(plot, 2.0, 2.0), pixelOf(plot, 4.0, 25.0));
    QVERIFY(moved.size() >= 3);
    // The points are not sorted by x; index 1 is the second of the value.
    QCOMPARE(moved.last()[0].toInt(), 1);
    QVERIFY(std::abs(moved.last()[1].toDouble() - 4.0) < 0.1);
    QVERIFY(std::abs(moved.last()[2].toDouble() - 25.0) < 0.5);
    QVERIFY(!widget.isZoomed());
  }

  void theEraserTakesPointsOnItsWay() {
    BandPlot widget;
    widget.setValue(someBands());
    widget.setPointTool(BandPlot::PointTool::kErase);
    QCustomPlot& plot = shown(widget);
    QList<int> erased;
    connect(&widget, &BandPlot::pointErased, &widget, [&erased](int index) { erased << index; });
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 7.0, 7.0));
    QCOMPARE(erased, QList<int>({0}));
    drag(plot, pixelOf(plot, 8.0, 5.0), pixelOf(plot, 5.0, 5.0));
    QVERIFY(erased.contains(2));
    QVERIFY(!erased.contains(1));
  }

  void hoveringShowsValuesWithBothDeviations() {
    BandPlot widget;
    widget.setValue(someBands());
    QCustomPlot& plot = shown(widget);
    const QString text = widget.hoverText(pixelOf(plot, 3.1, 20.0));
    QVERIFY2(text.contains("mean 6") && text.contains("epistemic) 1") && text.contains("noise 3"),
             qPrintable(text));
    QVERIFY(widget.hoverText(pixelOf(plot, 5.0, 5.0)).contains("point 3"));
  }

  void theTableHasPredictionsDrawsAndPoints() {
    BandPlot widget;
    BandPlotValue value = someBands();
    value.draws = {{"", {1.0}, {4.0}, 0.0}};
    widget.setValue(value);
    const PlotTable table = widget.table();
    QCOMPARE(table.columns, QStringList({"kind", "x", "y", "std_epistemic", "std_total"}));
    QCOMPARE(table.rows.size(), std::size_t{11 + 1 + 3});
    QCOMPARE(table.rows[3][0].toString(), "prediction");
    QCOMPARE(table.rows[3][4].toDouble(), 3.0);
    QCOMPARE(table.rows[11][0].toString(), "draw 0");
    QCOMPARE(table.rows[12][1].toDouble(), 7.0);
  }

  void aPlotWithoutPredictionShowsItsPoints() {
    BandPlot widget;
    BandPlotValue value = someBands();
    value.x.clear();
    value.mean.clear();
    value.std_epistemic.clear();
    value.std_total.clear();
    widget.setValue(value);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(graphsOn(plot, "main")[1]->dataCount(), 3);
    QVERIFY(!plot.legend->visible());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::BandPlotTest)
#include "band_plot_test.moc"
