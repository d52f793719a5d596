// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_base.h"

#include <QSignalSpy>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/curve_plot.h"

namespace dubito::test {
namespace {

CurvePlotValue line(double height) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.curves.push_back({{"a", {0.0, 1.0}, {0.0, height}, std::nan("")}});
  return value;
}

}  // namespace

class PlotBaseTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aHiddenPlotIsDrawnWhenItIsShown() {
    CurvePlot widget;
    deliverEvents();  // a new QCustomPlot draws itself
    const QSignalSpy drawn(&innerPlot(widget), &QCustomPlot::afterReplot);
    for (int i = 1; i < 6; ++i) {
      widget.setCurves(line(i));
      widget.resize(300 + 20 * i, 200 + 10 * i);
      deliverEvents();
    }
    QCOMPARE(drawn.count(), 0);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QTRY_VERIFY(drawn.count() > 0);
    QCOMPARE(innerPlot(widget).viewport().size(), innerPlot(widget).size());
    QVERIFY(innerPlot(widget).yAxis->range().contains(5.0));
  }

  void severalChangesAreDrawnOnce() {
    CurvePlot widget;
    QCustomPlot& plot = shown(widget);
    deliverEvents();
    const QSignalSpy drawn(&plot, &QCustomPlot::afterReplot);
    for (int i = 1; i < 6; ++i) {
      widget.setCurves(line(2.0));
      widget.resize(420 + i, 320 + i);
    }
    QCOMPARE(drawn.count(), 0);
    QTRY_COMPARE(drawn.count(), 1);
    deliverEvents();
    QCOMPARE(drawn.count(), 1);
    QCOMPARE(plot.viewport().size(), plot.size());
  }

  void aNewSizeIsLaidOutBeforeItIsDrawn() {
    CurvePlot widget;
    QCustomPlot& plot = shown(widget);
    const int before = plot.axisRect()->height();
    widget.resize(widget.size() + QSize(0, 50));
    QCOMPARE(plot.axisRect()->height(), before + 50);
  }
};

}  // namespace dubito::test

#include "plot_base_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::PlotBaseTest)
