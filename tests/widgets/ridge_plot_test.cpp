// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/ridge_plot.h"

#include <algorithm>
#include <cmath>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"

namespace dubito::test {
namespace {

std::vector<Ridge> twoRidges() {
  Ridge narrow{"cat", {0.6, 0.7, 0.8}, {0.0, 9.0, 0.0}, 0.7, true, true};
  Ridge wide{"dog", {0.0, 0.3, 0.6}, {0.5, 1.5, 0.5}, 0.3, false, false};
  return {narrow, wide};
}

}  // namespace

class RidgePlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theShapeNextToAPoleIsSeen() {
    // Beta(0.5, 2): infinite at 0, and 0.94 of its mass beyond the first thousandth.
    Ridge ridge;
    for (int i = 0; i <= 160; ++i) {
      const double x = std::max(1e-6, i / 160.0);
      ridge.x.push_back(x);
      ridge.density.push_back(0.75 * (1.0 - x) / std::sqrt(x));
    }
    ridge.top = 4.0;
    RidgePlot widget;
    widget.setRidges({ridge}, "probability");
    const QCustomPlot& plot = innerPlot(widget);
    const auto heightAt = [&plot](int point) {
      return (plot.graph(1)->data()->constBegin() + point)->value;
    };
    QVERIFY(heightAt(0) > 0.8 && heightAt(0) < 1.0);
    QVERIFY(heightAt(40) > 0.2);
    QVERIFY(heightAt(80) > 0.1 && heightAt(80) < heightAt(40));
  }

  void exportsExactlyThePlottedNumbers() {
    RidgePlot plot;
    plot.resize(300, 200);
    plot.setRidges(twoRidges(), "probability");
    const PlotTable table = plot.table();
    QCOMPARE(table.rows.size(), std::size_t{6});
    QCOMPARE(table.rows[1][0].toString(), "cat");
    QCOMPARE(table.rows[1][1].toInt(), 1);
    QCOMPARE(table.rows[1][3].toDouble(), 9.0);
    QCOMPARE(table.rows[4][1].toInt(), 0);
    QCOMPARE(table.rows[4][2].toDouble(), 0.3);
    QVERIFY(!plot.grab().isNull());
  }

  void tellsWhatIsUnderTheMouse() {
    RidgePlot plot;
    plot.resize(300, 200);
    plot.setRidges(twoRidges(), "probability");
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    deliverEvents();
    const QString upper = plot.hoverText({150, 60});
    const QString lower = plot.hoverText({150, 130});
    QVERIFY2(upper.contains("cat: mean 0.7") && upper.contains("in the"), qPrintable(upper));
    QVERIFY2(lower.contains("dog: mean 0.3") && lower.contains("not in the set"),
             qPrintable(lower));
    QVERIFY(plot.hoverText({150, 1000}).isEmpty());
  }

  void nothingIsNoTrouble() {
    RidgePlot plot;
    plot.setRidges({}, "x");
    plot.setRidges({Ridge{"flat", {}, {}, 0.5, true, false}}, "x");
    QVERIFY(!plot.grab().isNull());
  }
};

}  // namespace dubito::test

#include "ridge_plot_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::RidgePlotTest)
