// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/class_map_plot.h"

#include <QSignalSpy>
#include <cmath>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/color_scale.h"
#include "widgets/point_cloud_qcp.h"

namespace dubito::test {
namespace {

/// Values that grow with x alone, and three points of two classes.
ClassMapValue someMap() {
  ClassMapValue value;
  auto cells = Array<double>::zeros({4, 5});
  for (std::int64_t row = 0; row < 4; ++row) {
    for (std::int64_t column = 0; column < 5; ++column) {
      cells.mutableRow(row)[static_cast<std::size_t>(column)] =
          static_cast<double>(10 * row + column);
    }
  }
  value.values = cells;
  value.x_range = {0.0, 10.0};
  value.y_range = {-20.0, 20.0};
  value.scale = {0.0, 34.0};
  value.quantity = "entropy (nats)";
  value.x_label = "x1";
  value.y_label = "x2";
  value.point_x = {7.0, 2.0, 5.0};
  value.point_y = {7.0, 2.0, -15.0};
  value.point_class = {0, 1, 0};
  value.class_names = {"cat", "dog"};
  value.border = {{{1.0, 2.0}, {3.0, 4.0}}};
  value.function_borders = {{{{1.0, 2.0}, {3.0, 4.0}}}, {{{5.0, 6.0}, {7.0, 8.0}}}};
  return value;
}

QList<QCPAbstractPlottable*> onLayer(QCustomPlot& plot, const char* layer) {
  QList<QCPAbstractPlottable*> found;
  for (int i = 0; i < plot.plottableCount(); ++i) {
    if (plot.plottable(i)->layer()->name() == QLatin1String(layer)) {
      found << plot.plottable(i);
    }
  }
  return found;
}

}  // namespace

class ClassMapPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cellsLieWhereTheirCentresAre() {
    ClassMapPlot widget;
    widget.setValue(someMap());
    QCustomPlot& plot = shown(widget);
    const auto* const map = qobject_cast<QCPColorMap*>(plot.plottable(0));
    QVERIFY(map != nullptr && map->visible());
    // The third row from below is [0, 10] in x2.
    QCOMPARE(map->data()->data(9.0, 5.0), 24.0 / 34.0);
    QCOMPARE(map->data()->data(1.0, -15.0), 0.0);
    QVERIFY(widget.hoverText(pixelOf(plot, 9.2, 6.0)).contains("entropy (nats): 24"));
    QVERIFY(widget.hoverText(pixelOf(plot, 2.0, 2.0)).contains("point 2: class dog"));
  }

  void aWideMapIsStretchedALittle() {
    ClassMapPlot widget;
    widget.setValue(someMap());
    const QCustomPlot& plot = shown(widget, {800, 300});
    const double ratio = static_cast<double>(plot.axisRect()->width()) / plot.axisRect()->height();
    QVERIFY2(ratio > 1.4 && ratio < 1.6, qPrintable(QString::number(ratio)));
  }

  void labelsComeAndGo() {
    ClassMapPlot widget;
    widget.setValue(someMap());
    const QCustomPlot& plot = shown(widget);
    QVERIFY(plot.xAxis->tickLabels() && !plot.yAxis->label().isEmpty());
    widget.setLabelsShown(true, false);
    QVERIFY(plot.xAxis->tickLabels() && !plot.yAxis->tickLabels());
    QVERIFY(plot.yAxis->label().isEmpty());
  }

  void logarithmicScalesFollowThePowers() {
    QCOMPARE(shareOnScale(10.0, {0.1, 1000.0}, true), 0.5);
    QCOMPARE(shareOnScale(0.0, {0.1, 1000.0}, true), 0.0);
    QCOMPARE(shareOnScale(1e280, {0.1, 1000.0}, true), 1.0);
    QCOMPARE(shareOnScale(0.5, {0.25, 1.25}, false), 0.25);
  }

  void classesHavePointsOfTheirOwn() {
    ClassMapPlot widget;
    widget.setValue(someMap());
    QCustomPlot& plot = shown(widget);
    // An edge and a mark per class.
    const auto clouds = onLayer(plot, "classes");
    QCOMPARE(clouds.size(), 4);
    const auto& cats = dynamic_cast<PointCloud&>(*clouds[1]);
    const auto& dogs = dynamic_cast<PointCloud&>(*clouds[3]);
    QCOMPARE(cats.points().size(), std::size_t{2});
    QCOMPARE(dogs.points().size(), std::size_t{1});
    QVERIFY(cats.shape() != dogs.shape() && cats.color() != dogs.color());
    ClassMapValue one = someMap();
    one.class_names = {"cat"};
    one.point_class = {0, 0, 0};
    widget.setValue(one);
    QCOMPARE(onLayer(plot, "classes").size(), 2);
  }

  void bordersComeAndGo() {
    ClassMapPlot widget;
    ClassMapValue value = someMap();
    widget.setValue(value);
    QCustomPlot& plot = shown(widget);
    // Two of functions; that of the prediction with a dark edge.
    QCOMPARE(onLayer(plot, "borders").size(), 4);
    value.function_borders.clear();
    widget.setValue(value);
    QCOMPARE(onLayer(plot, "borders").size(), 2);
  }

  void pointsAreAddedMovedAndErasedWithTheTool() {
    ClassMapPlot widget;
    widget.setValue(someMap());
    QCustomPlot& plot = shown(widget);
    QSignalSpy added(&widget, &ClassMapPlot::pointAdded);
    QSignalSpy moved(&widget, &ClassMapPlot::pointMoved);
    QSignalSpy erased(&widget, &ClassMapPlot::pointErased);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 4.0, 15.0));
    QCOMPARE(added.size(), 0);
    widget.setPointTool(ClassMapPlot::PointTool::kEdit);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 4.0, 15.0));
    QCOMPARE(added.size(), 1);
    QVERIFY(std::abs(added[0][0].toDouble() - 4.0) < 0.1);
    QVERIFY(std::abs(added[0][1].toDouble() - 15.0) < 0.5);
    drag(plot, pixelOf(plot, 2.0, 2.0), pixelOf(plot, 6.0, -5.0));
    QVERIFY(moved.size() >= 3);
    QCOMPARE(moved.last()[0].toInt(), 1);
    QVERIFY(std::abs(moved.last()[1].toDouble() - 6.0) < 0.1);
    QVERIFY(!widget.isZoomed());
    widget.setPointTool(ClassMapPlot::PointTool::kErase);
    drag(plot, pixelOf(plot, 8.0, -15.0), pixelOf(plot, 5.0, -15.0));
    QCOMPARE(erased.last()[0].toInt(), 2);
    QCOMPARE(added.size(), 1);
  }

  void withoutAMapThePointsAreShown() {
    ClassMapPlot widget;
    ClassMapValue value = someMap();
    value.values = {};
    widget.setValue(value);
    QCustomPlot& plot = shown(widget);
    QVERIFY(!plot.plottable(0)->visible());
    QCOMPARE(widget.table().rows.size(), std::size_t{3 + 2 + 4});
  }

  void theTableHasPointsBordersAndCells() {
    ClassMapPlot widget;
    widget.setValue(someMap());
    const PlotTable table = widget.table();
    QCOMPARE(table.columns, QStringList({"kind", "x1", "x2", "class", "entropy (nats)"}));
    QCOMPARE(table.rows.size(), std::size_t{3 + 2 + 4 + 20});
    QCOMPARE(table.rows[1][3].toString(), "dog");
    QCOMPARE(table.rows[9][0].toString(), "cell");
    QCOMPARE(table.rows[9][1].toDouble(), 1.0);
    QCOMPARE(table.rows[9][2].toDouble(), -15.0);
    QCOMPARE(table.rows.back()[4].toDouble(), 34.0);
  }

  void theScaleShowsItsEnds() {
    ColorScale scale;
    const int before = scale.sizeHint().width();
    scale.setEnds("0.25", "1.39 nats");
    QCOMPARE(scale.highText(), "1.39 nats");
    QVERIFY(scale.sizeHint().width() > before);
    QVERIFY(!scale.accessibleName().isEmpty());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ClassMapPlotTest)
#include "class_map_plot_test.moc"
