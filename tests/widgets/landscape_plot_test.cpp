// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/landscape_plot.h"

#include <QSignalSpy>
#include <cmath>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"

namespace dubito::test {
namespace {

LandscapeValue bowl() {
  LandscapeValue value;
  value.x_label = "temperature T";
  LandscapeCurve nll{"NLL", "nats", {}};
  LandscapeCurve ece{"ECE", "%", {}};
  for (int i = 0; i <= 20; ++i) {
    const double x = -1.0 + 0.1 * i;
    value.log10_x.push_back(x);
    nll.y.push_back(0.5 + x * x);
    ece.y.push_back(std::abs(x));
  }
  value.curves = {nll, ece};
  return value;
}

}  // namespace

class LandscapePlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachCurveHasAxesOfItsOwn() {
    LandscapePlot widget;
    widget.setLandscape(bowl());
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.axisRectCount(), 2);
    QCOMPARE(plot.axisRect(0)->axis(QCPAxis::atLeft)->label(), "NLL (nats)");
    QCOMPARE(plot.axisRect(1)->axis(QCPAxis::atLeft)->label(), "ECE (%)");
    QCOMPARE(plot.axisRect(0)->axis(QCPAxis::atBottom)->label(), "");
    QCOMPARE(plot.axisRect(1)->axis(QCPAxis::atBottom)->label(), "temperature T");
    QCOMPARE(tickTexts(*plot.axisRect(1)->axis(QCPAxis::atBottom)),
             QStringList({"0.1", "0.2", "0.5", "1", "2", "5", "10"}));
    LandscapeValue three = bowl();
    three.curves.push_back({"evidence", "log", three.curves[0].y, false, true});
    three.curves[2].y[0] = -1e9;
    widget.setLandscape(three);
    QCOMPARE(plot.axisRectCount(), 3);
    QCOMPARE(plot.axisRect(2)->axis(QCPAxis::atLeft)->label(), "evidence");
    QVERIFY(plot.axisRect(2)->axis(QCPAxis::atLeft)->range().lower > 0.4);
    widget.setLandscape(bowl());
    QCOMPARE(plot.axisRectCount(), 2);
    plot.replot(QCustomPlot::rpImmediateRefresh);
  }

  void factorsAreDrawnLogarithmically() {
    LandscapePlot widget;
    LandscapeValue value = bowl();
    value.curves[1].logarithmic = true;  // from 0 to 1
    widget.setLandscape(value);
    QCustomPlot& plot = shown(widget);
    QCPAxis& axis = *plot.axisRect(1)->axis(QCPAxis::atLeft);
    QVERIFY(axis.scaleType() == QCPAxis::stLogarithmic);
    QVERIFY(axis.range().lower > 0.0 && axis.range().lower < 1e-4);
    QVERIFY(tickTexts(axis).contains("0.01"));
    QVERIFY(plot.axisRect(0)->axis(QCPAxis::atLeft)->scaleType() == QCPAxis::stLinear);
    QCOMPARE(widget.table().rows[10][2].toDouble(), value.curves[1].y[10]);
    // Values of one magnitude need none.
    value.curves[1].y.assign(21, 0.5);
    widget.setLandscape(value);
    QVERIFY(axis.scaleType() == QCPAxis::stLinear);
  }

  void theLineIsDragged() {
    LandscapePlot widget;
    widget.setLandscape(bowl());
    widget.setPosition(1.0);
    QCustomPlot& plot = shown(widget);
    QSignalSpy moved(&widget, &LandscapePlot::positionMoved);
    QSignalSpy released(&widget, &LandscapePlot::positionReleased);
    const auto at = [&](double x) { return pixelOf(plot, std::log10(x), 0.7); };
    drag(plot, at(1.0), at(3.0));
    QVERIFY(moved.count() >= 3);
    QCOMPARE(released.count(), 1);
    QVERIFY(std::abs(released[0][0].toDouble() - 3.0) < 0.1);
    QCOMPARE(widget.position(), std::optional<double>(released[0][0].toDouble()));
    // Not beyond the ends.
    drag(plot, at(3.0), at(3.0) + QPoint(4000, 0));
    QCOMPARE(*widget.position(), 10.0);
  }

  void hoveringAndTheTableTellAllCurves() {
    LandscapePlot widget;
    widget.setLandscape(bowl());
    QCustomPlot& plot = shown(widget);
    const QString text = widget.hoverText(pixelOf(plot, 0.0, 0.7));
    QVERIFY2(text.contains("temperature T 1") && text.contains("NLL (nats) 0.5"), qPrintable(text));
    const PlotTable table = widget.table();
    QCOMPARE(table.columns, QStringList({"temperature T", "NLL (nats)", "ECE (%)"}));
    QCOMPARE(table.rows.size(), 21U);
    QCOMPARE(table.rows[20][0].toDouble(), 10.0);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LandscapePlotTest)
#include "landscape_plot_test.moc"
