// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metric_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>

#include "tests/support/gui_test.h"
#include "tests/widgets/preview_data.h"
#include "widgets/metric_table_model.h"

namespace dubito::test {
namespace {

QString text(const MetricTable& table, int row, int column) {
  return table.model()->index(row, column).data().toString();
}

}  // namespace

class MetricTableTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theModelKeepsItsContract() {
    MetricTableModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(metricRows());
    model.setRows({});
    model.setRows(metricRows());
    QCOMPARE(model.rowCount(), 3 + 5 + 3 + 3);
  }

  void groupsHaveAHeadingAndAColumnPerScore() {
    MetricTable table;
    table.setRows(metricRows());
    QCOMPARE(table.model()->columnCount(), 4);
    QCOMPARE(text(table, 0, 0), "MNIST test");
    QCOMPARE(text(table, 1, 0), "accuracy");
    // The one value of a line stands at the right edge; its name has the room before it.
    QCOMPARE(text(table, 1, 1), "");
    QCOMPARE(text(table, 1, 3), "98.22 %");
    QCOMPARE(table.columnSpan(1, 0), 3);
    QCOMPARE(table.columnSpan(7, 0), 1);
    QCOMPARE(text(table, 6, 0), "correct vs misclassified");
    QCOMPARE(text(table, 6, 2), "entropy");
    QCOMPARE(text(table, 7, 0), "AUROC");
    QCOMPARE(text(table, 7, 1), "0.973");
    QCOMPARE(text(table, 7, 3), "0.967");
  }

  void figuresAreRightAlignedWithAllDigitsInTheTooltip() {
    MetricTable table;
    table.setRows(metricRows());
    const QModelIndex cell = table.model()->index(2, 3);
    QVERIFY(cell.data(Qt::TextAlignmentRole).value<Qt::Alignment>().testFlag(Qt::AlignRight));
    QCOMPARE(cell.data(Qt::ToolTipRole).toString(),
             "NLL = 0.05671234\nmean -log p of the label; lower is better");
  }

  void copiesAsCsvAndMarkdown() {
    MetricTable table;
    table.setRows(metricRows());
    const QStringList lines = table.csv().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + 5 + 18);
    QCOMPARE(lines[2], "MNIST test,NLL,,0.05671234");
    QCOMPARE(lines[7], "correct vs misclassified,AUROC,entropy,0.9742");
    QVERIFY(table.markdown().startsWith("| group | metric | score | value |\n"));
    table.show();
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), table.csv());
  }

  void equalNamesInOneGroupStayApart() {
    MetricTable table;
    table.setRows({{"g", "ECE", {}, "1", 1.0, {}}, {"g", "ECE", {}, "2", 2.0, {}}});
    QCOMPARE(table.model()->rowCount(), 3);
    QCOMPARE(text(table, 2, 1), "2");
  }
};

}  // namespace dubito::test

#include "metric_table_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::MetricTableTest)
