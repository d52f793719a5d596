// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scatter_plot.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/point_cloud_qcp.h"

namespace dubito::test {
namespace {

ScatterPlotValue valueOf(std::vector<double> x, std::vector<double> y,
                         std::vector<std::uint8_t> groups) {
  ScatterPlotValue value;
  value.drawn.resize(x.size());
  std::iota(value.drawn.begin(), value.drawn.end(), 0);
  value.points = std::make_shared<const ScatterPoints>(makeScatterPoints(
      Array<double>::fromVector(std::move(x)), Array<double>::fromVector(std::move(y)),
      std::move(groups), {0.0, 1.0}, {0.0, 2.0}, 20));
  value.groups = {{"correct", ColorRole::kCorrect},
                  {"misclassified", ColorRole::kMisclassified},
                  {"OOD", ColorRole::kOod}};
  value.x_name = "entropy";
  value.y_name = "MI";
  value.x_label = "entropy (nats)";
  value.y_label = "MI (nats)";
  value.name_of = [](std::int32_t point) { return QStringLiteral("item %1").arg(point); };
  return value;
}

ScatterPlotValue fivePoints() {
  return valueOf({0.1, 0.5, 0.9, 0.5, 0.2}, {0.2, 1.0, 1.8, 0.4, 1.5}, {0, 0, 1, 2, 1});
}

/// 30 000 points, most in one corner; the first 50 are drawn on top.
ScatterPlotValue density() {
  std::mt19937 random(5);
  std::exponential_distribution<double> steep(8.0);
  std::vector<double> x;
  std::vector<double> y;
  while (x.size() < 30000) {
    const double a = steep(random);
    const double b = 2.0 * steep(random);
    if (a < 1.0 && b < 2.0) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  ScatterPlotValue value = valueOf(x, y, std::vector<std::uint8_t>(x.size(), 1));
  value.is_density = true;
  value.drawn.resize(50);
  return value;
}

std::vector<const PointCloud*> cloudsOf(QCustomPlot& plot) {
  std::vector<const PointCloud*> clouds;
  for (int i = 0; i < plot.plottableCount(); ++i) {
    if (const auto* cloud = dynamic_cast<const PointCloud*>(plot.plottable(i))) {
      clouds.push_back(cloud);
    }
  }
  return clouds;  // the first is the ring around the primary item
}

const QCPColorMap& mapOf(QCustomPlot& plot) {
  for (int i = 0; i < plot.plottableCount(); ++i) {
    if (const auto* map = dynamic_cast<const QCPColorMap*>(plot.plottable(i))) {
      return *map;
    }
  }
  qFatal("no colour map");
}

}  // namespace

class ScatterPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyGroupHasItsColourAndShape() {
    ScatterPlot widget;
    widget.setScatter(fivePoints());
    const auto clouds = cloudsOf(shown(widget));
    QCOMPARE(clouds.size(), 4U);
    QCOMPARE(clouds[1]->points(), (std::vector<QPointF>{{0.1, 0.2}, {0.5, 1.0}}));
    QCOMPARE(clouds[2]->points(), (std::vector<QPointF>{{0.9, 1.8}, {0.2, 1.5}}));
    QCOMPARE(clouds[3]->points(), (std::vector<QPointF>{{0.5, 0.4}}));
    QCOMPARE(clouds[2]->color().rgb(), currentTheme().misclassified.rgb());
    QVERIFY(clouds[1]->shape() != clouds[2]->shape());
    QVERIFY(clouds[2]->shape() != clouds[3]->shape());
    QVERIFY(!mapOf(innerPlot(widget)).visible());
  }

  void manyPointsAreDrawnByTheirCounts() {
    ScatterPlot widget;
    const ScatterPlotValue value = density();
    widget.setScatter(value);
    QCustomPlot& plot = shown(widget);
    QVERIFY(mapOf(plot).visible());
    double total = 0.0;
    for (int column = 0; column < 20; ++column) {
      for (int row = 0; row < 20; ++row) {
        const double count = mapOf(plot).data()->cell(column, row);
        QCOMPARE(std::isnan(count) ? 0 : static_cast<std::int64_t>(count),
                 value.points->countIn(column, row));
        total += std::isnan(count) ? 0.0 : count;
      }
    }
    QCOMPARE(total, 30000.0);
    QCOMPARE(cloudsOf(plot).at(1)->points().size(), 50U);
    QCOMPARE(plot.plotLayout()->elementCount(), 2);
    // Few points again: the scale of the counts gives its room back.
    widget.setScatter(fivePoints());
    QCOMPARE(plot.plotLayout()->elementCount(), 1);
    widget.setScatter(density());
    QCOMPARE(plot.plotLayout()->elementCount(), 2);
  }

  void draggingSelectsARectangle() {
    ScatterPlot widget;
    widget.setScatter(fivePoints());
    QCustomPlot& plot = shown(widget);
    ScatterRectangle got;
    int count = 0;
    connect(&widget, &ScatterPlot::rectangleSelected, &widget, [&](const ScatterRectangle& area) {
      got = area;
      ++count;
    });
    drag(plot, pixelOf(plot, 0.7, 0.3), pixelOf(plot, 0.3, 1.2));
    QCOMPARE(count, 1);
    QVERIFY(std::abs(got.x.low - 0.3) < 0.01 && std::abs(got.x.high - 0.7) < 0.01);
    QVERIFY(std::abs(got.y.low - 0.3) < 0.02 && std::abs(got.y.high - 1.2) < 0.02);
    QVERIFY(widget.rectangle().has_value());
    // Beyond the axes there is nothing.
    drag(plot, pixelOf(plot, 0.5, 1.0), pixelOf(plot, 0.5, 1.0) + QPoint(5000, -5000));
    QCOMPARE(got.x.high, plot.xAxis->pixelToCoord(plot.axisRect()->rect().right() + 1));
    QVERIFY(got.x.high <= 1.01 && got.y.high <= 2.02);
  }

  void aClickChoosesTheNearestPointAndBesideThemClears() {
    ScatterPlot widget;
    widget.setScatter(fivePoints());
    QCustomPlot& plot = shown(widget);
    QSignalSpy chosen(&widget, &ScatterPlot::pointChosen);
    QSignalSpy cleared(&widget, &ScatterPlot::selectionCleared);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 0.5, 0.4) + QPoint(4, -3));
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toInt(), 3);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 0.8, 0.6));
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(cleared.count(), 0);
    widget.setRectangle(ScatterRectangle{{0.2, 0.6}, {0.3, 0.9}});
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 0.8, 0.6));
    QCOMPARE(cleared.count(), 1);
    QVERIFY(!widget.rectangle());
    QCOMPARE(widget.hoverText(pixelOf(plot, 0.9, 1.8)),
             "item 2 · misclassified\nentropy 0.9000\nMI 1.800");
    QVERIFY(widget.hoverText(pixelOf(plot, 0.8, 0.6)).isEmpty());
  }

  void selectedPointsStandOutAndThePrimaryOneHasARing() {
    ScatterPlot widget;
    widget.setScatter(fivePoints());
    QCustomPlot& plot = shown(widget);
    widget.setSelected(std::vector<std::int32_t>{1, 2});
    auto clouds = cloudsOf(plot);
    QCOMPARE(clouds.size(), 6U);
    QVERIFY(clouds[1]->color().alphaF() < 0.3);
    QCOMPARE(clouds[4]->points(), (std::vector<QPointF>{{0.5, 1.0}}));
    QCOMPARE(clouds[5]->points(), (std::vector<QPointF>{{0.9, 1.8}}));
    QCOMPARE(clouds[5]->color().alphaF(), 1.0F);
    widget.setPrimary(4);
    QCOMPARE(clouds[0]->points(), (std::vector<QPointF>{{0.2, 1.5}}));
    QCOMPARE(clouds[0]->shape(), PointCloud::Shape::kRing);
    widget.setSelected(std::nullopt);
    widget.setPrimary(std::nullopt);
    clouds = cloudsOf(plot);
    QCOMPARE(clouds.size(), 4U);
    QVERIFY(clouds[0]->points().empty());
  }

  void theDiagonalIsThatOfASquare() {
    ScatterPlot widget;
    ScatterPlotValue value = valueOf({0.1, 0.9}, {0.2, 0.8}, {0, 0});
    value.has_diagonal = true;
    widget.setScatter(value);
    QCustomPlot& plot = shown(widget, {640, 300});
    QCOMPARE(plot.graph(0)->dataCount(), 2);
    QCOMPARE(plot.graph(0)->dataMainValue(1), plot.graph(0)->dataMainKey(1));
    QVERIFY(std::abs(plot.axisRect()->width() - plot.axisRect()->height()) <= 2);
    widget.setScatter(fivePoints());
    QCOMPARE(plot.graph(0)->dataCount(), 0);
  }

  void csvIsWhatIsDrawn() {
    ScatterPlot widget;
    widget.setScatter(fivePoints());
    QStringList lines = widget.csv().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 6);
    QCOMPARE(lines[0], "drawn,item,entropy,MI");
    QCOMPARE(lines[3], "misclassified,item 2,0.9,1.8");
    widget.setScatter(density());
    lines = widget.csv().split('\n', Qt::SkipEmptyParts);
    std::int64_t in_cells = 0;
    int on_top = 0;
    for (const QString& line : lines.mid(1)) {
      const QStringList cells = line.split(',');
      QCOMPARE(cells.size(), 7);
      if (cells[0] == "cell") {
        in_cells += cells[6].toInt();
      } else {
        on_top += cells[6].toInt();
      }
    }
    QCOMPARE(in_cells, 30000);
    QCOMPARE(on_top, 50);
  }

  void pictureOfEveryFormatIsWritten() {
    const QTemporaryDir dir;
    ScatterPlot widget;
    for (const ScatterPlotValue& value : {fivePoints(), density()}) {
      widget.setScatter(value);
      shown(widget);
      for (const QString suffix : {"png", "svg", "pdf"}) {
        QVERIFY(widget.saveAs(dir.filePath("plot." + suffix)));
        QVERIFY(QFileInfo(dir.filePath("plot." + suffix)).size() > 1000);
      }
    }
  }

  void nothingIsShownOfNothing() {
    ScatterPlot widget;
    widget.setScatter(fivePoints());
    widget.setScatter({});
    QCustomPlot& plot = shown(widget);
    QCOMPARE(cloudsOf(plot).size(), 1U);
    QVERIFY(widget.hoverText(plot.axisRect()->rect().center()).isEmpty());
    QCOMPARE(widget.table().rows.size(), 0U);
  }
};

}  // namespace dubito::test

#include "scatter_plot_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ScatterPlotTest)
