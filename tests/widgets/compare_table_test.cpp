// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare_table.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QSignalSpy>

#include "tests/support/gui_test.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

CompareTableValue threeRuns() {
  CompareTableValue value;
  value.columns = {{"accuracy", "share of right predictions", true},
                   {"NLL", "negative log likelihood", false},
                   {"MMC", "mean confidence", std::nullopt}};
  const auto row = [](const QString& name, int run, double accuracy, double nll) {
    CompareTableValue::Row result{name, "data", false, run, run, run == 0, {}};
    for (const double number : {accuracy, nll, 0.5}) {
      result.cells.push_back(std::isnan(number)
                                 ? CompareTableValue::Cell{}
                                 : CompareTableValue::Cell{QString::number(number), number, "tip"});
    }
    return result;
  };
  value.rows = {row("map", 0, 0.9, 0.3), row("dropout", 1, 0.95, std::nan("")),
                row("laplace", 2, 0.92, 0.2)};
  return value;
}

QString text(const CompareTable& table, int row, int column) {
  return table.model()->index(row, column).data().toString();
}

}  // namespace

class CompareTableTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theModelKeepsItsContract() {
    CompareTable table;
    const QAbstractItemModelTester tester(table.model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    table.setValue(threeRuns());
    table.setValue({});
    table.setValue(threeRuns());
    QCOMPARE(table.model()->rowCount(), 3);
    QCOMPARE(table.model()->columnCount(), 4);
  }

  void theBestOfAColumnIsMarked() {
    CompareTable table;
    table.setValue(threeRuns());
    QCOMPARE(text(table, 0, 1), "0.9");
    QCOMPARE(text(table, 1, 1), QString::fromUtf8("• 0.95"));
    QCOMPARE(text(table, 2, 2), QString::fromUtf8("• 0.2"));
    QCOMPARE(text(table, 0, 3), "0.5");  // neither way is better
    QVERIFY(table.model()->index(1, 1).data(Qt::FontRole).value<QFont>().bold());
    QVERIFY(!table.model()->index(0, 1).data(Qt::FontRole).value<QFont>().bold());
    QVERIFY(table.model()
                ->headerData(2, Qt::Horizontal, Qt::ToolTipRole)
                .toString()
                .contains("lower is better"));
  }

  void runsOverOtherItemsAreNoBetter() {
    CompareTable table;
    CompareTableValue value = threeRuns();
    for (CompareTableValue::Cell& cell : value.rows[1].cells) {
      cell.items = 1;
    }
    value.rows[1].other_items = true;
    table.setValue(value);
    QCOMPARE(text(table, 1, 1), "0.95");
    QCOMPARE(text(table, 2, 1), QString::fromUtf8("• 0.92"));
    const QModelIndex other = table.model()->index(1, 1);
    QCOMPARE(other.data(Qt::ForegroundRole).value<QColor>(), currentTheme().muted);
    QVERIFY(!table.model()->index(2, 1).data(Qt::ForegroundRole).isValid());
  }

  void sortsWithTheBestFirstAndWhatIsMissingLast() {
    CompareTable table;
    table.setValue(threeRuns());
    QCOMPARE(table.order(), (std::vector<int>{0, 1, 2}));
    table.sortByColumn(1, Qt::AscendingOrder);
    QCOMPARE(table.order(), (std::vector<int>{1, 2, 0}));
    table.sortByColumn(2, Qt::AscendingOrder);
    QCOMPARE(table.order(), (std::vector<int>{2, 0, 1}));
    // What is copied stands in the same order.
    QCOMPARE(table.table().rows[0][0].toString(), "laplace");
    QVERIFY(toCsv(table.table()).startsWith("run,accuracy,NLL,MMC\nlaplace,0.92,0.2,0.5\n"));
  }

  void rowsAreChosenAndActivatedByTheirOwnNumber() {
    CompareTable table;
    table.resize(500, 200);
    table.setValue(threeRuns());
    table.sortByColumn(1, Qt::AscendingOrder);
    table.show();
    const QSignalSpy chosen(&table, &CompareTable::rowChosen);
    const QSignalSpy activated(&table, &CompareTable::rowActivated);
    const QPoint second = table.visualRect(table.model()->index(1, 1)).center();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, second);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0).at(0).toInt(), 2);
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.at(0).at(0).toInt(), 2);
  }
};

}  // namespace dubito::test

#include "compare_table_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::CompareTableTest)
