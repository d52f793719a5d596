// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/ridge_plot.h"

#include "tests/support/gui_test.h"

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
    QTest::qWait(50);
    const QString upper = plot.hoverText({150, 60});
    const QString lower = plot.hoverText({150, 130});
    QVERIFY2(upper.contains("cat: mean 0.7") && upper.contains("in the"), qPrintable(upper));
    QVERIFY2(lower.contains("dog: mean 0.3") && lower.contains("outside"), qPrintable(lower));
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
