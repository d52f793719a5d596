// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/density_path_plot.h"

#include <QSignalSpy>
#include <cmath>
#include <limits>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/point_cloud_qcp.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

/// A standard normal on [-4, 4] x [-3, 3].
std::shared_ptr<const PlaneDensity> someDensity() {
  constexpr std::int64_t kRows = 60;
  constexpr std::int64_t kColumns = 80;
  auto density = std::make_shared<PlaneDensity>();
  density->log_density = Array<double>::zeros({kRows, kColumns});
  density->x_range = {-4.0, 4.0};
  density->y_range = {-3.0, 3.0};
  density->x_label = "x";
  density->y_label = "v";
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::int64_t column = 0; column < kColumns; ++column) {
      const double x = -4.0 + 8.0 * (static_cast<double>(column) + 0.5) / kColumns;
      const double y = -3.0 + 6.0 * (static_cast<double>(row) + 0.5) / kRows;
      density->log_density.mutableRow(row)[static_cast<std::size_t>(column)] =
          -0.5 * (x * x + y * y);
    }
  }
  density->levels = {{0.5, std::log(0.5)}, {0.9, std::log(0.1)}};
  return density;
}

DensityPathValue someValue() {
  DensityPathValue value;
  value.density = someDensity();
  value.points = {{0.0, 0.0}, {1.0, -1.0}, {0.5, 2.0}};
  value.path = {{0.5, 2.0}, {1.0, 1.5}, {2.0, 0.0}};
  value.path_accepted = true;
  return value;
}

QList<QCPCurve*> curvesOn(QCustomPlot& plot, const char* layer) {
  QList<QCPCurve*> curves;
  for (int i = 0; i < plot.plottableCount(); ++i) {
    auto* const curve = qobject_cast<QCPCurve*>(plot.plottable(i));
    if (curve != nullptr && curve->layer()->name() == QLatin1String(layer)) {
      curves << curve;
    }
  }
  return curves;
}

template <class T>
T* plottableOf(QCustomPlot& plot) {
  for (int i = 0; i < plot.plottableCount(); ++i) {
    if (auto* const found = dynamic_cast<T*>(plot.plottable(i))) {
      return found;
    }
  }
  return nullptr;
}

QStringList legendOf(QCustomPlot& plot) {
  const auto* const legend = qobject_cast<QCPLegend*>(plot.plotLayout()->element(0, 0));
  QStringList names;
  for (int i = 0; i < legend->itemCount(); ++i) {
    names << qobject_cast<QCPPlottableLegendItem*>(legend->item(i))->plottable()->name();
  }
  return names;
}

}  // namespace

class DensityPathPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theMapHasTheDensityAtItsPlace() {
    DensityPathPlot widget;
    widget.setValue(someValue());
    QCustomPlot& plot = shown(widget);
    QCPColorMap& map = *plottableOf<QCPColorMap>(plot);
    QVERIFY(map.visible());
    QCOMPARE(map.data()->data(0.05, 0.05), -0.0025);
    // The centres of the outermost cells.
    QCOMPARE(map.data()->keyRange().lower, -3.95);
    QCOMPARE(map.data()->valueRange().upper, 2.95);
    QCOMPARE(map.data()->data(2.05, -1.05), -0.5 * (2.05 * 2.05 + 1.05 * 1.05));
    // A thousandth of the highest density and less is one colour.
    QCOMPARE(map.data()->data(3.95, 2.95), -DensityPathPlot::kDepth);
    QCOMPARE(plot.xAxis->range().lower, -4.0);
    QCOMPARE(plot.yAxis->range().upper, 3.0);
  }

  void contoursAreWhereTheDensityHasTheLevel() {
    DensityPathPlot widget;
    widget.setValue(someValue());
    const QList<QCPCurve*> lines = curvesOn(shown(widget), "contours");
    double nearest = 10.0;
    for (const QCPCurveData& point : *lines[0]->data()) {
      const double radius = std::hypot(point.key, point.value);
      nearest = std::min(nearest, std::abs(radius - std::sqrt(2.0 * std::log(2.0))));
      QVERIFY(std::abs(radius - std::sqrt(2.0 * std::log(2.0))) < 0.02);
    }
    QVERIFY(nearest < 0.01);
  }

  void statesAndThePathAreShown() {
    DensityPathPlot widget;
    DensityPathValue value = someValue();
    widget.setValue(value);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plottableOf<PointCloud>(plot)->points(), value.points);
    // Edge, line, start, and one mark of an accepted proposal.
    QList<QCPCurve*> path = curvesOn(plot, "path");
    QCOMPARE(path.size(), 4);
    QCOMPARE(path[1]->dataCount(), 3);
    QCOMPARE(legendOf(plot), QStringList({"50 · 90 %", DensityPathPlot::pathText(true)}));
    value.path_accepted = false;
    widget.setValue(value);
    path = curvesOn(plot, "path");
    QCOMPARE(path.size(), 5);
    QCOMPARE(path.back()->scatterStyle().shape(), QCPScatterStyle::ssCross);
    QCOMPARE(legendOf(plot).back(), DensityPathPlot::pathText(false));
    // Without a picture, nothing stays.
    widget.setValue({});
    QVERIFY(curvesOn(plot, "path").isEmpty());
    QVERIFY(plottableOf<PointCloud>(plot)->points().empty());
    QVERIFY(!plottableOf<QCPColorMap>(plot)->visible());
  }

  void aTrajectoryInBothDirectionsIsOneLine() {
    DensityPathPlot widget;
    DensityPathValue value = someValue();
    value.path = {{-1.0, 0.0}, {0.0, 0.5}, {1.0, 1.0}, {2.0, 0.0}};
    value.path_start = 2;
    value.path_end = 0;
    value.path_name = "all points";
    value.momentum = QPointF(2.0, -1.0);
    widget.setValue(value);
    QCustomPlot& plot = shown(widget);
    QList<QCPCurve*> path = curvesOn(plot, "path");
    QCOMPARE(path.size(), 4);
    QCOMPARE(path[1]->dataCount(), 4);
    QCOMPARE(path[2]->data()->begin()->key, 1.0);
    QCOMPARE(path[3]->data()->begin()->key, -1.0);
    QCOMPARE(legendOf(plot),
             QStringList({"50 · 90 %", "all points", DensityPathPlot::momentumText()}));
    // An arrow with a dark edge, in the direction of the momentum.
    QCOMPARE(plot.itemCount(), 2);
    const auto* const arrow = qobject_cast<QCPItemLine*>(plot.item(1));
    QCOMPARE(arrow->start->coords(), QPointF(1.0, 1.0));
    const double unit = DensityPathPlot::kMomentumShare * 6.0;
    QVERIFY(std::abs(arrow->end->coords().x() - 1.0 - 2.0 * unit) < 1e-12);
    QVERIFY(std::abs(arrow->end->coords().y() - 1.0 + unit) < 1e-12);
    // A state that stays has no second mark, and the arrow goes with the momentum.
    value.path_end = 2;
    value.momentum = std::nullopt;
    widget.setValue(value);
    path = curvesOn(plot, "path");
    QCOMPARE(path.size(), 3);
    QCOMPARE(plot.itemCount(), 0);
    // Of a diverging trajectory, both sides are cut.
    value.path = {{1e200, 0.0}, {0.0, 0.5}, {1.0, 1.0}, {2.0, 0.0}, {0.0, -1e200}};
    value.path_end = 4;
    value.path_accepted = false;
    widget.setValue(value);
    path = curvesOn(plot, "path");
    QCOMPARE(path.size(), 3);
    QCOMPARE(path[1]->dataCount(), 5);
    for (const QCPCurveData& point : *path[1]->data()) {
      QVERIFY(std::abs(point.key) < 50.0 && std::abs(point.value) < 50.0);
    }
  }

  void aDivergingPathIsCut() {
    DensityPathPlot widget;
    DensityPathValue value = someValue();
    value.path = {{0.0, 0.0}, {1.0, 1.0}, {1e200, -1e180}, {std::nan(""), 0.0}};
    value.path_accepted = false;
    widget.setValue(value);
    const QList<QCPCurve*> path = curvesOn(shown(widget), "path");
    // No mark of the proposal, which is outside.
    QCOMPARE(path.size(), 3);
    QCOMPARE(path[1]->dataCount(), 3);
    for (const QCPCurveData& point : *path[1]->data()) {
      QVERIFY(std::abs(point.key) < 50.0 && std::abs(point.value) < 50.0);
    }
  }

  void ellipsesHaveTheSharesOfTheContours() {
    const DrawnGaussian gaussian{"Laplace", {1.0, -2.0}, {4.0, 1.2, 1.2, 1.0}, 0};
    const std::vector<QPointF> points = ellipseOf(gaussian, 0.9);
    QCOMPARE(points.front(), points.back());
    const double determinant = 4.0 - 1.44;
    for (const QPointF& point : points) {
      const double x = point.x() - 1.0;
      const double y = point.y() + 2.0;
      const double squares = (x * x - 2.0 * 1.2 * x * y + 4.0 * y * y) / determinant;
      // Chi squared with two degrees of freedom.
      QVERIFY(std::abs(1.0 - std::exp(-0.5 * squares) - 0.9) < 1e-9);
    }
    QVERIFY(ellipseOf({"", {}, {1.0, 2.0, 2.0, 1.0}, 0}, 0.5).empty());
    DensityPathPlot widget;
    DensityPathValue value = someValue();
    value.gaussians = {gaussian};
    widget.setValue(value);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(curvesOn(plot, "gaussians").size(), 4);
    QCOMPARE(legendOf(plot).back(), "Laplace");
  }

  void aClickAsksForAStart() {
    DensityPathPlot widget;
    widget.setValue(someValue());
    QCustomPlot& plot = shown(widget);
    QSignalSpy spy(&widget, &DensityPathPlot::startRequested);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 1.0, -1.5));
    QCOMPARE(spy.count(), 1);
    QVERIFY(std::abs(spy[0][0].toDouble() - 1.0) < 0.05);
    QVERIFY(std::abs(spy[0][1].toDouble() + 1.5) < 0.05);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(2, 2));
    QCOMPARE(spy.count(), 1);
  }

  void hoverAndTableHaveTheValues() {
    DensityPathPlot widget;
    widget.setValue(someValue());
    QCustomPlot& plot = shown(widget, {600, 500});
    const QString text = widget.hoverText(pixelOf(plot, 1.05, 0.05));
    QVERIFY2(text.contains("density: 0.57"), qPrintable(text));
    QVERIFY(text.contains("v = 0.0"));
    QVERIFY(widget.hoverText({1.0, 1.0}).isEmpty());
    const PlotTable table = widget.table();
    QCOMPARE(table.columns, QStringList({"kind", "x", "v", "ln density"}));
    QCOMPARE(table.rows[1][0].toString(), "state");
    QCOMPARE(table.rows[1][2].toDouble(), -1.0);
    QCOMPARE(table.rows[3][0].toString(), "accepted path");
    QCOMPARE(table.rows.back()[0].toString(), "density");
    QCOMPARE(table.rows.back()[1].toDouble(), 3.95);
    QVERIFY(DensityPathPlot().table().rows.empty());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::DensityPathPlotTest)
#include "density_path_plot_test.moc"
