// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/covariance_plot.h"

#include <QSignalSpy>
#include <cmath>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"

namespace dubito::test {
namespace {

/// Between the inputs -10, 0 and 10.
CovariancePlotValue someCovariances() {
  return {
      .values = Array<double>::fromVector({3, 3}, {4.0, 2.0, -1.0, 2.0, 3.0, 0.5, -1.0, 0.5, 2.0}),
      .range = {-10.0, 10.0},
      .x_label = "t",
      .quantity = "covariance (m²)"};
}

}  // namespace

class CovariancePlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cellsLieAtTheirInputs() {
    CovariancePlot widget;
    widget.setValue(someCovariances());
    QCustomPlot& plot = shown(widget);
    const auto* const map = qobject_cast<QCPColorMap*>(plot.plottable(0));
    QVERIFY(map != nullptr && map->visible());
    QCOMPARE(map->data()->data(10.0, -10.0), -1.0);
    QCOMPARE(map->data()->data(1.0, 9.0), 0.5);
    QCOMPARE(map->dataRange().lower, -1.0);
    QCOMPARE(map->dataRange().upper, 4.0);
    QCOMPARE(plot.xAxis->label(), "t");
    QCOMPARE(plot.yAxis->label(), QString("t′"));
    const QString text = widget.hoverText(pixelOf(plot, 1.0, 9.0));
    QVERIFY2(text.contains(QString("t = 0, t′ = 10")) && text.contains(QString("(m²): 0.5")),
             qPrintable(text));
  }

  void coloursBeginAtZero() {
    CovariancePlot widget;
    CovariancePlotValue value = someCovariances();
    value.values = Array<double>::fromVector({2, 2}, {4.0, 2.0, 2.0, 4.0});
    widget.setValue(value);
    const auto* const map = qobject_cast<QCPColorMap*>(shown(widget).plottable(0));
    QCOMPARE(map->dataRange().lower, 0.0);
    // A constant of 0 has colours, too.
    value.values = Array<double>::zeros({2, 2});
    widget.setValue(value);
    QVERIFY(map->dataRange().upper > map->dataRange().lower);
    value.values = {};
    widget.setValue(value);
    QVERIFY(!map->visible());
    QVERIFY(widget.table().rows.empty());
  }

  void theMatrixIsASquare() {
    CovariancePlot widget;
    widget.setValue(someCovariances());
    const QCustomPlot& plot = shown(widget, {500, 260});
    QVERIFY2(std::abs(plot.axisRect()->width() - plot.axisRect()->height()) <= 2,
             qPrintable(QStringLiteral("%1 x %2")
                            .arg(plot.axisRect()->width())
                            .arg(plot.axisRect()->height())));
  }

  void theMouseSaysWhereItIs() {
    CovariancePlot widget;
    widget.setValue(someCovariances());
    QCustomPlot& plot = shown(widget);
    QSignalSpy hovered(&widget, &CovariancePlot::hovered);
    const QPoint at = pixelOf(plot, 5.0, -3.0);
    QMouseEvent move(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&plot, &move);
    QCOMPARE(hovered.size(), 1);
    QVERIFY(std::abs(hovered[0][0].toDouble() - 5.0) < 0.2);
    widget.setMark(5.0);
    QCOMPARE(widget.mark(), std::optional(5.0));
  }

  void theTableHasEveryPair() {
    CovariancePlot widget;
    widget.setValue(someCovariances());
    const PlotTable table = widget.table();
    QCOMPARE(table.rows.size(), std::size_t{9});
    QCOMPARE(table.rows[2][0].toDouble(), 10.0);
    QCOMPARE(table.rows[2][1].toDouble(), -10.0);
    QCOMPARE(table.rows[2][2].toDouble(), -1.0);
    QCOMPARE(nearestInput({-10.0, 10.0}, 3, 6.0), std::size_t{2});
    QCOMPARE(nearestInput({-10.0, 10.0}, 3, -99.0), std::size_t{0});
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::CovariancePlotTest)
#include "covariance_plot_test.moc"
