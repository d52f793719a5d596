// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/item_runs_table.h"

#include <QSignalSpy>
#include <cmath>

#include "tests/support/gui_test.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

std::vector<ItemRunRow> threeRuns() {
  ItemRunRow shown{"MC dropout T=50", "seed 0", "cat", false, 0.51, 1.23, 0.4, true};
  ItemRunRow right{"Laplace", "kron", "dog", true, 0.9, 0.2, 0.05, false};
  ItemRunRow plain;
  plain.name = "MAP";
  plain.label_predicted = "owl";
  plain.confidence = 0.7;
  return {shown, right, plain};
}

}  // namespace

class ItemRunsTableTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void marksRightAndWrongByColourAndSign() {
    ItemRunsTable table;
    table.setRuns(threeRuns());
    QCOMPARE(table.rowCount(), 3);
    const Theme& theme = currentTheme();
    QCOMPARE(table.item(0, 1)->text(), QString("✗ cat"));
    QCOMPARE(table.item(0, 1)->foreground().color(), theme.misclassified);
    QCOMPARE(table.item(1, 1)->text(), QString("✓ dog"));
    QCOMPARE(table.item(1, 1)->foreground().color(), theme.correct);
    QCOMPARE(table.item(2, 1)->text(), QString("owl"));
    QCOMPARE(table.item(2, 1)->foreground().color(), theme.text);
    QCOMPARE(table.item(0, 2)->text(), QString("0.510"));
    QCOMPARE(table.item(1, 4)->text(), QString("0.050"));
    QCOMPARE(table.item(2, 3)->text(), QString("–"));
    QCOMPARE(table.currentRow(), 0);
    QVERIFY(table.item(0, 0)->font().bold());
    QVERIFY(!table.item(1, 0)->font().bold());
  }

  void aClickOrReturnAsksForTheRun() {
    ItemRunsTable table;
    table.resize(272, 200);
    table.setRuns(threeRuns());
    table.show();
    QSignalSpy chosen(&table, &ItemRunsTable::runChosen);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                      table.visualItemRect(table.item(1, 0)).center());
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toInt(), 1);
    QTest::keyClick(&table, Qt::Key_Down);
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen[1][0].toInt(), 2);
  }

  void copiesAllDigits() {
    ItemRunsTable table;
    table.setRuns(threeRuns());
    const PlotTable numbers = table.table();
    QCOMPARE(numbers.rows.size(), std::size_t{3});
    QCOMPARE(numbers.rows[0][3].toInt(), 0);
    QCOMPARE(numbers.rows[0][5].toDouble(), 1.23);
    QVERIFY(std::isnan(numbers.rows[2][6].toDouble()));
    QVERIFY(table.csv().startsWith("run,detail,predicted,correct,"));
    table.setRuns({});
    QCOMPARE(table.rowCount(), 0);
  }

  void everyFigureHasRoomInTheInspector() {
    ItemRunsTable table;
    table.resize(272, 200);
    table.setRuns(threeRuns());
    table.show();
    const QFontMetrics metrics(uiFont(TypeSize::kSmall));
    for (int column = 2; column < 5; ++column) {
      QVERIFY(metrics.horizontalAdvance("0.012") + 6 <= table.columnWidth(column));
    }
    QVERIFY(table.columnWidth(0) >= 60);
  }
};

}  // namespace dubito::test

#include "item_runs_table_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ItemRunsTableTest)
