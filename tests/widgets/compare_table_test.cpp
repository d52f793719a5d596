// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare_table.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
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

/// More than fit, with long names.
CompareTableValue manyColumns() {
  CompareTableValue value = threeRuns();
  const CompareTableValue::Column column = value.columns[0];
  while (value.columns.size() < 12) {
    value.columns.push_back(column);
  }
  for (CompareTableValue::Row& row : value.rows) {
    row.name += ", which has a long name because it says everything about its network";
    row.cells.resize(value.columns.size(), row.cells[0]);
  }
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

  void theNamesStayWhereTheyAre() {
    CompareTable table;
    table.resize(400, 200);
    CompareTableValue value = manyColumns();
    table.setValue(value);
    table.show();
    auto& names = partOf<QTableView>(table, "frozenColumn");
    QTRY_VERIFY(names.isVisible());
    QCOMPARE(names.textElideMode(), Qt::ElideMiddle);
    const QRect before = names.geometry();
    // Over the first column and its header, and no wider.
    QCOMPARE(before.width(), table.columnWidth(0));
    QCOMPARE(before.height(), table.horizontalHeader()->height() + table.viewport()->height());
    QVERIFY(before.width() < table.width() / 2 + 20);
    QVERIFY(table.horizontalScrollBar()->maximum() > 0);
    table.horizontalScrollBar()->setValue(300);
    QCOMPARE(names.geometry(), before);
    for (int row = 0; row < 3; ++row) {
      QCOMPARE(names.visualRect(names.model()->index(row, 0)).y(),
               table.visualRect(table.model()->index(row, 1)).y());
    }
    QVERIFY(names.isColumnHidden(1) && !names.isColumnHidden(0));
    // The keys do not leave a cell below the names.
    table.setFocus();
    table.setCurrentIndex(table.model()->index(0, 12));
    while (table.currentIndex().column() > 1) {
      QTest::keyClick(&table, Qt::Key_Left);
      QVERIFY(table.visualRect(table.currentIndex()).left() >= names.width());
    }
    // They sort as well.
    QTest::mouseClick(names.horizontalHeader()->viewport(), Qt::LeftButton, {}, QPoint(30, 8));
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), 0);
    QCOMPARE(table.order(), (std::vector<int>{1, 2, 0}));
    QVERIFY(!names.isColumnHidden(0) && names.isColumnHidden(2));
    // With room for all, nothing is elided.
    table.resize(4000, 200);
    QTRY_VERIFY(names.width() > names.fontMetrics().horizontalAdvance(value.rows[0].name));
  }

  void ticksAndHiddenRowsBelongToALegend() {
    CompareTable table;
    CompareTableValue value = threeRuns();
    table.setValue(value);
    QVERIFY(!table.model()->index(0, 0).data(Qt::CheckStateRole).isValid());
    QMenu none;
    table.addChoices(none);
    QVERIFY(none.isEmpty());
    value.is_legend = true;
    value.rows[1].drawn = false;
    table.setValue(value);
    QCOMPARE(table.model()->index(1, 0).data(Qt::CheckStateRole).toInt(), int{Qt::Unchecked});
    const QSignalSpy changed(&table, &CompareTable::drawnChanged);
    table.show();
    table.sortByColumn(1, Qt::AscendingOrder);
    table.selectRow(0);
    QTest::keyClick(&table, Qt::Key_Space);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.at(0).at(0).toInt(), 1);
    QVERIFY(table.value().rows[1].drawn);
    // The best of those that are left is marked.
    table.setRowShown(1, false);
    QCOMPARE(table.order(), (std::vector<int>{2, 0}));
    QCOMPARE(text(table, 0, 1), QString::fromUtf8("• 0.92"));
    QMenu menu;
    table.addChoices(menu);
    auto& rows = partOf<QMenu>(menu, "rowsMenu");
    for (QAction* const action : rows.actions()) {
      if (action->text() == "dropout") {
        QVERIFY(!action->isChecked());
        action->trigger();
      }
    }
    QCOMPARE(table.order(), (std::vector<int>{1, 2, 0}));
    partOf<QAction>(rows, "tickNone").trigger();
    QCOMPARE(table.order(), std::vector<int>());
    partOf<QAction>(rows, "tickAll").trigger();
    QCOMPARE(table.order(), (std::vector<int>{1, 2, 0}));
  }

  void hiddenRowsAndColumnsAreExported() {
    CompareTable table;
    CompareTableValue value = threeRuns();
    value.is_legend = true;
    value.rows[0].hidden = true;
    value.columns[1].hidden = true;
    value.rows[2].cells[0].std_dev = 0.1 + 0.2;
    table.setValue(value);
    QVERIFY(table.isColumnHidden(2) && !table.isColumnHidden(1));
    QCOMPARE(table.model()->rowCount(), 2);
    QCOMPARE(toCsv(table.table()),
             "run,accuracy,\"accuracy, standard deviation\",NLL,MMC\n"
             "dropout,0.95,,,0.5\n"
             "laplace,0.92,0.30000000000000004,0.2,0.5\n"
             "map,0.9,,0.3,0.5\n");
    table.exporter().copyText("tex");
    const QString latex = QApplication::clipboard()->text();
    QVERIFY2(!latex.contains("NLL") && !latex.contains("map &"), qPrintable(latex));
    QVERIFY2(latex.contains("accuracy") && latex.contains("dropout &"), qPrintable(latex));
    const int width = table.columnWidth(1);
    table.setColumnShown(1, true);
    QVERIFY(table.columnWidth(2) > 0 && table.columnWidth(1) == width);
  }

  void aTableCanInsistOnItsRows() {
    CompareTable table;
    CompareTableValue value = threeRuns();
    table.setValue(value);
    table.setMinRows(8);
    const int three = table.minimumSizeHint().height();
    QVERIFY(three >= 3 * table.verticalHeader()->defaultSectionSize());
    while (value.rows.size() < 20) {
      value.rows.push_back(value.rows[0]);
    }
    table.setValue(value);
    QCOMPARE(table.minimumSizeHint().height() - three,
             5 * table.verticalHeader()->defaultSectionSize());
  }
};

}  // namespace dubito::test

#include "compare_table_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::CompareTableTest)
