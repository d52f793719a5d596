// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/simplex_plot.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/density_color.h"

namespace dubito::test {
namespace {

/// A hill over the middle of the triangle.
SimplexDensity hill() {
  constexpr std::int64_t kCells = 60;
  SimplexDensity density;
  density.log_density = Array<double>::zeros({kCells, kCells});
  for (std::int64_t r = 0; r < kCells; ++r) {
    for (std::int64_t c = 0; c < kCells; ++c) {
      const double y = (static_cast<double>(r) + 0.5) / kCells;
      const double right = (static_cast<double>(c) + 0.5) / kCells - 0.5 * y;
      const double left = 1.0 - right - y;
      double& value = density.log_density.mutableRow(r)[static_cast<std::size_t>(c)];
      value = left < 0.0 || right < 0.0
                  ? std::numeric_limits<double>::quiet_NaN()
                  : std::log(left) + std::log(right) + 2.0 * std::log(y) + 9.0;
    }
  }
  density.mean = {2.0 / 7.0, 2.0 / 7.0, 3.0 / 7.0};
  density.mode = Triple{0.25, 0.25, 0.5};
  density.levels = {{0.5, 4.0}, {0.9, 2.5}};
  return density;
}

SimplexValue sample() {
  SimplexValue value;
  value.corners = {"cat", "dog", "owl"};
  value.density = hill();
  value.mean = value.density->mean;
  value.draws = {{0.2, 0.3, 0.5}, {0.4, 0.1, 0.5}, {0.1, 0.1, 0.8}};
  value.counts = Array<std::int64_t>::fromVector({2, 4}, {2, 0, 0, 0, 1, 0, 0, 0});
  return value;
}

std::size_t rowsOf(const PlotTable& table, const QString& what) {
  return static_cast<std::size_t>(std::ranges::count_if(
      table.rows, [&](const std::vector<QVariant>& row) { return row[0].toString() == what; }));
}

QStringList legendOf(QCustomPlot& plot) {
  QStringList names;
  for (int i = 0; i < plot.legend->itemCount(); ++i) {
    names << static_cast<QCPPlottableLegendItem*>(plot.legend->item(i))->plottable()->name();
  }
  return names;
}

}  // namespace

class SimplexPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void handlesAreDraggedInsideTheTriangle() {
    SimplexPlot plot;
    SimplexValue value = sample();
    value.outline = {{0.5, 0.3, 0.2}, {0.3, 0.5, 0.2}, {0.5, 0.3, 0.2}};
    value.handles = {{0.4, 0.4, 0.2}, {0.2, 0.2, 0.6}};
    value.outline_name = "outline";
    plot.setValue(value);
    QCustomPlot& inner = shown(plot);
    QVERIFY(legendOf(inner).contains("outline"));
    int handle = -1;
    Triple last{};
    connect(&plot, &SimplexPlot::handleMoved, &plot, [&](int index, const Triple& probs) {
      handle = index;
      last = probs;
    });
    const QSignalSpy released(&plot, &SimplexPlot::handleReleased);
    const double height = 0.5 * std::sqrt(3.0);
    const QPoint from = pixelOf(inner, 0.2 + 0.3, 0.6 * height);
    drag(inner, from, pixelOf(inner, 0.3 + 0.1, 0.2 * height));
    QCOMPARE(handle, 1);
    QCOMPARE(released.count(), 1);
    QVERIFY(std::abs(last[0] - 0.5) < 0.02 && std::abs(last[2] - 0.2) < 0.02);
    // Outside the triangle, the nearest edge counts.
    drag(inner, from, pixelOf(inner, 0.5, -0.05));
    QVERIFY(last[2] > 0.0 && last[2] < 0.01);
    QVERIFY(std::abs(last[0] + last[1] + last[2] - 1.0) < 1e-12);
    // Elsewhere the mouse moves the plot, not a handle.
    handle = -1;
    drag(inner, pixelOf(inner, 0.2, 0.1 * height), pixelOf(inner, 0.3, 0.1 * height));
    QCOMPARE(handle, -1);
    QCOMPARE(released.count(), 2);
  }

  void drawsEveryPointAtItsPlaceInTheTriangle() {
    SimplexPlot plot;
    plot.setValue(sample());
    QCustomPlot& inner = shown(plot);
    QCOMPARE(inner.graphCount(), 1);
    QCOMPARE(inner.graph(0)->dataCount(), 3);
    // (0.2, 0.3, 0.5): half way up, at 0.3 + 0.25.
    const auto found = std::ranges::find_if(*inner.graph(0)->data(), [](const QCPGraphData& dot) {
      return std::abs(dot.key - 0.55) < 1e-9;
    });
    QVERIFY(found != inner.graph(0)->data()->end());
    QVERIFY(std::abs(found->value - 0.5 * std::sqrt(0.75)) < 1e-9);
    QCOMPARE(legendOf(inner), (QStringList{"3 draws", "mean", "mode", "50 · 90 %"}));
    // Nothing of the triangle is cut off, and its sides are equal.
    const QRect area = inner.axisRect()->rect();
    const QPoint left = pixelOf(inner, 0.0, 0.0);
    const QPoint right = pixelOf(inner, 1.0, 0.0);
    const QPoint top = pixelOf(inner, 0.5, std::sqrt(0.75));
    QVERIFY(area.contains(left) && area.contains(right) && area.contains(top));
    const double side = right.x() - left.x();
    QVERIFY(std::abs(std::hypot(top.x() - left.x(), top.y() - left.y()) - side) < 3.0);
  }

  void theHistogramTakesThePlaceOfDensityAndDots() {
    SimplexPlot plot;
    plot.setValue(sample());
    plot.setView(SimplexPlot::View::kHistogram);
    QCustomPlot& inner = shown(plot);
    QCOMPARE(inner.graphCount(), 0);
    QVERIFY(!legendOf(inner).contains("3 draws"));
    const PlotTable table = plot.table();
    QCOMPARE(rowsOf(table, "count"), std::size_t{4});
    QCOMPARE(rowsOf(table, "draw"), std::size_t{0});
    qlonglong sum = 0;
    for (const auto& row : table.rows) {
      if (row[0].toString() == "count") {
        sum += row[4].toLongLong();
        QVERIFY(std::abs(row[1].toDouble() + row[2].toDouble() + row[3].toDouble() - 1.0) < 1e-12);
      }
    }
    QCOMPARE(sum, 3);
    // Both counts in one colour image: the fullest triangle is the one next to corner 2.
    const QImage picture = inner.toPixmap().toImage();
    const auto colorAt = [&](double left, double right) {
      const double up = 1.0 - left - right;
      return picture.pixelColor(pixelOf(inner, right + 0.5 * up, std::sqrt(0.75) * up));
    };
    QCOMPARE(colorAt(0.07, 0.3), densityColor(1.0));
    QCOMPARE(colorAt(0.85, 0.1), densityColor(0.5));
    QCOMPARE(colorAt(0.1, 0.85), densityColor(0.0));
  }

  void exportsExactlyThePlottedNumbers() {
    SimplexPlot plot;
    plot.setValue(sample());
    plot.resize(280, 280);
    const PlotTable table = plot.table();
    QCOMPARE(table.columns, (QStringList{"what", "p_cat", "p_dog", "p_owl", "value"}));
    QCOMPARE(rowsOf(table, "draw"), std::size_t{3});
    QCOMPARE(rowsOf(table, "ln density"), std::size_t{60 * 60 / 2});
    QCOMPARE(rowsOf(table, "mean"), std::size_t{1});
    QCOMPARE(table.rows[1][0].toString(), "mode");
    QCOMPARE(table.rows[1][3].toDouble(), 0.5);
    // Points of a line have the density that it says.
    QVERIFY(rowsOf(table, "line 0.5") > 20);
    for (const auto& row : table.rows) {
      if (row[0].toString() == "line 0.5") {
        const double value = std::log(row[1].toDouble()) + std::log(row[2].toDouble()) +
                             2.0 * std::log(row[3].toDouble()) + 9.0;
        QVERIFY2(std::abs(value - 4.0) < 0.03, qPrintable(QString::number(value)));
      }
    }
    const QTemporaryDir folder;
    for (const char* const suffix : {"png", "svg", "pdf", "csv"}) {
      QVERIFY(plot.saveAs(folder.filePath(QStringLiteral("simplex.") + suffix)));
    }
  }

  void tellsWhatIsUnderTheMouse() {
    SimplexPlot plot;
    plot.setValue(sample());
    QCustomPlot& inner = shown(plot);
    const QString text = plot.hoverText(pixelOf(inner, 0.5, std::sqrt(0.75) * 0.5));
    QVERIFY2(text.contains("cat 0.25") && text.contains("owl 0.5"), qPrintable(text));
    QVERIFY(text.contains("ln density"));
    QVERIFY(plot.hoverText(pixelOf(inner, 0.05, 0.6)).isEmpty());
  }

  void withoutADensityThereAreStillMeanAndDraws() {
    SimplexPlot plot;
    SimplexValue value = sample();
    value.density.reset();
    plot.setValue(value);
    QCustomPlot& inner = shown(plot);
    QCOMPARE(legendOf(inner), (QStringList{"3 draws", "mean"}));
    plot.setValue({});
    QCOMPARE(legendOf(inner), QStringList());
    QVERIFY(plot.table().rows.empty());
    QVERIFY(plot.hoverText({100, 100}).isEmpty());
  }

  void theScaleIsViridis() {
    QCOMPARE(densityColor(0.0), QColor(0x44, 0x01, 0x54));
    QCOMPARE(densityColor(0.5), QColor(0x21, 0x91, 0x8c));
    QCOMPARE(densityColor(2.0), QColor(0xfd, 0xe7, 0x25));
    QCOMPARE(densityColor(std::nan("")), densityColor(0.0));
    double before = -1.0;
    for (double share = 0.0; share <= 1.0; share += 0.05) {
      const QColor color = densityColor(share);
      const double light = 0.2126 * color.redF() + 0.7152 * color.greenF() + 0.0722 * color.blueF();
      QVERIFY(light > before);
      before = light;
    }
  }
};

}  // namespace dubito::test

#include "simplex_plot_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::SimplexPlotTest)
