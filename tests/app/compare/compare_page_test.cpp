// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/compare_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <tuple>

#include "app/shell/page_stack.h"
#include "tests/app/support/test_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/plot_base.h"
#include "widgets/scatter_plot.h"

namespace dubito::test {

/// The page Compare with as many runs as people have.
class ComparePageTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  static constexpr int kRuns = 8;
  static constexpr int kTickInset = 8;  ///< a place in the tick of a cell, in pixels

  static QString nameOf(int run) {
    return QStringLiteral("Laplace of all layers, Kronecker factors · residual network number %1")
        .arg(run);
  }
  void addRuns() {
    const AnalysisPtr sample = sampleAnalysis();
    for (int i = 0; i < kRuns; ++i) {
      const auto run = std::make_shared<Analysis>(*sample);
      for (AnalysisPart& part : run->parts) {
        Run same_items = *part.run;
        same_items.meta.dataset_spec = "sample:" + part.name;  // also of those without labels
        part.run = std::make_shared<const Run>(std::move(same_items));
      }
      run->name = nameOf(i).toStdString();
      run->evaluation.nll = 0.1234567890123 + 0.01 * i;
      session().addAnalysis(run);
    }
    window_->showPage(PageId::kCompare);
    QTRY_VERIFY(window_->settled());
    QTRY_VERIFY(table().isVisible());
  }
  /// A corruption of each run, as if computed on the page Shift.
  void addShift() {
    std::vector<ShiftResultPtr> results;
    for (const AnalysisPtr& analysis : session().analyses()) {
      auto result = std::make_shared<ShiftResult>();
      result->kind = CorruptionKind::kBlur;
      result->analysis = analysis;
      for (int step = 0; step < 6; ++step) {
        ShiftStep at;
        at.severity = step;
        at.evaluation.accuracy = 0.9 - 0.1 * step;
        result->steps.push_back(std::move(at));
      }
      results.push_back(std::move(result));
    }
    window_->pages().compare().setShiftResults(std::move(results));
  }
  CompareTable& table() { return part<CompareTable>("compareTable"); }
  QTableView& names() { return partOf<QTableView>(table(), "frozenColumn"); }
  QScrollArea& scroll() { return part<QScrollArea>("compareScroll"); }
  /// Colours of the runs that a plot draws.
  std::set<int> drawnIn(const char* plot) {
    std::set<int> runs;
    for (const StyledCurve& curve : part<CurvePlot>(plot).curves().curves) {
      runs.insert(curve.run);
    }
    return runs;
  }
  /// Height of the rows of the table that can be seen, in pixels.
  int visibleHeight() {
    const QWidget& rows = *table().viewport();
    const QWidget& view = *scroll().viewport();
    return QRect(rows.mapTo(&view, QPoint()), rows.size()).intersected(view.rect()).height();
  }
  QSize smallestPlot() {
    QSize smallest(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    int plots = 0;
    for (const PlotBase* const plot : scroll().findChildren<PlotBase*>()) {
      if (plot->isVisibleTo(&scroll())) {
        smallest = smallest.boundedTo(plot->size());
        ++plots;
      }
    }
    return plots >= 3 ? smallest : QSize();
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
    addRuns();
  }
  void cleanup() { closeAll(); }

  void sixRowsAreSeenAtTheUsualSize() {
    QCOMPARE(table().value().rows.size(), static_cast<std::size_t>(kRuns));
    QTRY_VERIFY(visibleHeight() >= 6 * table().verticalHeader()->defaultSectionSize());
    QTRY_VERIFY(smallestPlot().width() >= 260 && smallestPlot().height() >= 180);
  }

  void aSmallWindowScrollsThePageInsteadOfShrinkingThePlots() {
    for (const QSize& size : {QSize(1024, 700), QSize(960, 540)}) {
      window_->resize(size);
      // The inspector is folded, and leaves room for two columns; next to it there is one.
      QTRY_COMPARE(part<CardRows>("compareRows").columnCount(), 2);
      QTRY_VERIFY(smallestPlot().width() >= 260 && smallestPlot().height() >= 180);
      part<QAbstractButton>("sideTab").setChecked(true);
      QTRY_COMPARE(part<CardRows>("compareRows").columnCount(), 1);
      QTRY_VERIFY(scroll().verticalScrollBar()->maximum() > 0);
      QTRY_VERIFY(smallestPlot().width() >= 260 && smallestPlot().height() >= 180);
      QCOMPARE(scroll().horizontalScrollBar()->maximum(), 0);
      scroll().verticalScrollBar()->setValue(0);
      QTRY_VERIFY2(visibleHeight() >= 6 * table().verticalHeader()->defaultSectionSize(),
                   qPrintable(QStringLiteral("%1 pixels at %2 x %3")
                                  .arg(visibleHeight())
                                  .arg(size.width())
                                  .arg(size.height())));
      part<QAbstractButton>("sideTab").setChecked(false);
    }
    window_->resize(1920, 1080);
    QTRY_VERIFY(part<CardRows>("compareRows").columnCount() >= 3);
    QTRY_COMPARE(scroll().verticalScrollBar()->maximum(), 0);
  }

  void namesStayAndAreElidedInTheMiddle() {
    QCOMPARE(names().textElideMode(), Qt::ElideMiddle);
    QVERIFY(names().width() >= 200);
    const QPoint before = names().pos();
    QVERIFY(table().horizontalScrollBar()->maximum() > 0);
    table().horizontalScrollBar()->setValue(table().horizontalScrollBar()->maximum());
    QCOMPARE(names().pos(), before);
    const QModelIndex third = names().model()->index(2, 0);
    QVERIFY(names().visualRect(third).isValid());
    QVERIFY(third.data(Qt::ToolTipRole).toString().contains(nameOf(2)));
  }

  void theTableIsTheLegend() {
    addShift();
    std::set<std::tuple<int, int>> styles;
    for (const char* const plot : {"compareRoc", "compareRejection", "compareShift"}) {
      const CurvePlotValue& value = part<CurvePlot>(plot).curves();
      QCOMPARE(value.curves.size(), static_cast<std::size_t>(kRuns));
      QVERIFY2(!value.has_legend, plot);
      for (const StyledCurve& curve : value.curves) {
        const auto& row = table().value().rows[static_cast<std::size_t>(curve.run)];
        QCOMPARE(row.run, curve.run);
        QCOMPARE(row.dash, curve.dash);
        QCOMPARE(row.marker, curve.marker);
        styles.insert({row.dash, row.marker});
      }
    }
    // Also without colours.
    QCOMPARE(styles.size(), static_cast<std::size_t>(kRuns));
    QVERIFY(!table().model()->index(0, 0).data(Qt::DecorationRole).isNull());
  }

  void ticksHideCurvesInAllPlots() {
    addShift();
    table().setDrawn(3, false);
    for (const char* const plot : {"compareRoc", "compareRejection", "compareShift"}) {
      QCOMPARE(drawnIn(plot), (std::set<int>{0, 1, 2, 4, 5, 6, 7}));
    }
    QComboBox& second = *part<Card>("compareRejectionCard").findChild<QComboBox*>("cardChoices");
    second.setCurrentIndex(1);
    Q_EMIT second.activated(1);
    QVERIFY(!drawnIn("compareRejection").contains(3));
    // Space ticks the selected row again; the arrows go to others.
    table().setFocus();
    table().selectRow(2);
    QTest::keyClick(&table(), Qt::Key_Down);
    QTest::keyClick(&table(), Qt::Key_Space);
    QVERIFY(drawnIn("compareRoc").contains(3));
    QVERIFY(drawnIn("compareShift").contains(3));
    // The mouse ticks in the frozen column, and chooses no other row.
    const QRect cell = names().visualRect(names().model()->index(5, 0));
    QTest::mouseClick(names().viewport(), Qt::LeftButton, {},
                      QPoint(cell.left() + kTickInset, cell.center().y()));
    QVERIFY(!drawnIn("compareRoc").contains(5));
    QCOMPARE(table().currentIndex().row(), 3);
    // A tick outlives other runs.
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QVERIFY(!table().value().rows[5].drawn);
    for (int run = 0; run < kRuns + 1; ++run) {
      table().setDrawn(run, false);
    }
    QVERIFY(part<Card>("compareRocCard").emptyText().contains("ticked"));
  }

  void theSelectedRunIsDrawnStronger() {
    Q_EMIT table().rowChosen(4);
    for (const StyledCurve& curve : part<CurvePlot>("compareRoc").curves().curves) {
      QCOMPARE(curve.is_strong, curve.run == 4);
    }
  }

  void hiddenRunsAreNotDrawn() {
    table().setRowShown(1, false);
    QCOMPARE(table().model()->rowCount(), kRuns - 1);
    QVERIFY(!drawnIn("compareRoc").contains(1));
    table().setRowShown(1, true);
    QCOMPARE(table().model()->rowCount(), kRuns);
    QVERIFY(drawnIn("compareRoc").contains(1));
  }

  void columnsAreChosenInAMenuAndRemembered() {
    auto& menu = part<QMenu>("compareChooserMenu");
    Q_EMIT menu.aboutToShow();
    const auto& columns = partOf<QMenu>(menu, "columnsMenu");
    const QString name = table().value().columns[1].name;
    QAction* tick = nullptr;
    for (QAction* const action : columns.actions()) {
      tick = action->text() == name ? action : tick;
    }
    QVERIFY(tick != nullptr && tick->isChecked());
    tick->trigger();
    QVERIFY(table().isColumnHidden(2));
    openWindow();
    addRuns();
    QCOMPARE(table().value().columns[1].name, name);
    QVERIFY(table().isColumnHidden(2));
    QVERIFY(!table().isColumnHidden(1));
    table().setColumnShown(1, true);
    openWindow();
    addRuns();
    QVERIFY(!table().isColumnHidden(2));
  }

  void theCsvHasEveryRunAndEveryMetric() {
    table().setRowShown(1, false);
    table().setColumnShown(0, false);
    const QStringList lines = toCsv(table().table()).split('\n', Qt::SkipEmptyParts);
    const CompareTableValue& value = table().value();
    QCOMPARE(lines.size(), kRuns + 1);
    std::vector<int> numbers = table().order();
    numbers.push_back(1);
    for (int line = 0; line < kRuns; ++line) {
      const auto& row =
          value.rows[static_cast<std::size_t>(numbers[static_cast<std::size_t>(line)])];
      // The name contains a comma.
      const QString text = lines[line + 1];
      const QString quoted = '"' + row.name + '"';
      QVERIFY2(text.startsWith(quoted + ','), qPrintable(text));
      const QStringList cells = text.mid(quoted.size() + 1).split(',');
      QCOMPARE(static_cast<std::size_t>(cells.size()), value.columns.size());
      for (std::size_t c = 0; c < value.columns.size(); ++c) {
        const QString& cell = cells[static_cast<qsizetype>(c)];
        QVERIFY(std::isnan(row.cells[c].value) ? cell.isEmpty()
                                               : cell.toDouble() == row.cells[c].value);
      }
    }
    // From the menu of the card.
    QMenu menu;
    QVERIFY(part<Card>("compareCard").addExport(menu));
    QVERIFY(std::ranges::any_of(menu.actions(), [](const QAction* action) {
      return action->text() == QString::fromUtf8("Save as CSV…");
    }));
  }
};

}  // namespace dubito::test

#include "compare_page_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ComparePageTest)
