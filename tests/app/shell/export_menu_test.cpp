// SPDX-License-Identifier: GPL-3.0-or-later
// How a person gets at what plots and tables can be saved as: a right click, the three dots of a
// card, the Export menu.
#include <QApplication>
#include <QMenu>
#include <QSettings>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <QWindow>

#include "app/explore/reliability_form.h"
#include "app/shell/export_menu.h"
#include "app/shell/main_window.h"
#include "tests/app/support/test_window.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/histogram_plot.h"
#include "widgets/qcustomplot_wrapper.h"

namespace dubito::test {
namespace {

QStringList textsOf(const QMenu& menu) {
  QStringList texts;
  for (const QAction* const action : menu.actions()) {
    if (!action->isSeparator()) {
      texts << action->text();
    }
  }
  return texts;
}

const QStringList kPlotEntries{"Reset zoom",
                               "Copy as CSV",
                               "Copy as PNG",
                               "Save as PNG, 1× size…",
                               "Save as PNG, 2× size…",
                               "Save as PNG, 4× size…",
                               "Save as SVG…",
                               "Save as PDF…",
                               "Save as CSV…"};

QString missingOf(const QMenu& menu, const QStringList& wanted) {
  const QStringList texts = textsOf(menu);
  for (const QString& text : wanted) {
    if (!texts.contains(text)) {
      return text;
    }
  }
  return {};
}

}  // namespace

class ExportTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  /// As a platform delivers it: to the window, which finds the widget under the cursor and sends
  /// that the context menu event as well.
  QMenu* rightClick(const QWidget& widget, const QPoint& at) {
    QTest::mouseClick(window_->windowHandle(), Qt::RightButton, {},
                      widget.mapTo(window_.get(), at));
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  }
  void showPage(PageId page) {
    window_->showPage(page);
    QTRY_VERIFY(window_->settled());
    deliverEvents();
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
    session().addAnalysis(sampleAnalysisWithoutDraws());
    showSample();
  }
  void cleanup() { closeAll(); }

  void aRightClickOnAnyPlotOpensItsMenu() {
    int plots = 0;
    for (const auto page : {PageId::kOverview, PageId::kImages, PageId::kCompare}) {
      showPage(page);
      for (const QCustomPlot* const plot : window_->findChildren<QCustomPlot*>()) {
        if (!plot->isVisible() || plot->visibleRegion().isEmpty()) {
          continue;
        }
        ++plots;
        QMenu* const menu = rightClick(*plot, plot->visibleRegion().boundingRect().center());
        const QString name = plot->parentWidget()->objectName();
        QVERIFY2(menu != nullptr, qPrintable(name));
        const QString missing = missingOf(*menu, kPlotEntries);
        QVERIFY2(missing.isEmpty(), qPrintable(name + ": " + missing));
        menu->close();
      }
    }
    QVERIFY(plots >= 9);
  }

  void aRightClickOnAnyTableOpensItsMenu() {
    const std::tuple<PageId, const char*, QString> tables[] = {
        {PageId::kOverview, "metricTable", "Save as LaTeX…"},
        {PageId::kOverview, "itemMeasures", "Save as Markdown…"},
        {PageId::kOverview, "overviewGallery", "Save as PNG, 2× size…"},
        {PageId::kImages, "confusionMatrix", "Save as SVG…"},
        {PageId::kCompare, "compareTable", "Save as CSV…"}};
    for (const auto& [page, name, entry] : tables) {
      showPage(page);
      QWidget& widget = part<QWidget>(name);
      QMenu* const menu = rightClick(widget, widget.rect().center());
      QVERIFY2(menu != nullptr, name);
      QVERIFY2(textsOf(*menu).contains(entry), name);
      menu->close();
    }
  }

  void zoomIsShownAndResetByTheMenu() {
    auto& plot = part<HistogramPlot>("entropyHistogram");
    const auto& inner = partOf<QCustomPlot>(plot, "plot");
    const auto& mark = partOf<QToolButton>(plot, "zoomMark");
    QVERIFY(!mark.isVisible());
    const QPointF at = inner.axisRect()->center();
    QWheelEvent wheel(at, inner.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(const_cast<QCustomPlot*>(&inner), &wheel);
    QVERIFY(plot.isZoomed() && mark.isVisible());
    // Another run leaves the zoom, and the mark says so.
    session().setActiveAnalysis(0);
    QCOMPARE(mark.isVisible(), plot.isZoomed());
    session().setActiveAnalysis(1);
    QCoreApplication::sendEvent(const_cast<QCustomPlot*>(&inner), &wheel);
    QMenu* const menu = rightClick(inner, at.toPoint());
    QVERIFY(menu != nullptr);
    auto& reset = partOf<QAction>(*menu, "resetZoom");
    QVERIFY(reset.isEnabled());
    reset.trigger();
    menu->close();
    QVERIFY(!plot.isZoomed() && !mark.isVisible());
  }

  void theThreeDotsOfEveryCardExport() {
    int cards = 0;
    for (const auto page : {PageId::kOverview, PageId::kImages, PageId::kCompare}) {
      showPage(page);
      for (const Card* const card : window_->findChildren<Card*>()) {
        auto& dots = partOf<QToolButton>(*card, "cardPlace");
        // A card that only says what is missing has nothing to export.
        if (!dots.isVisible() || !card->emptyText().isEmpty()) {
          continue;
        }
        ++cards;
        dots.click();
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        const auto* const exports = menu->findChild<QMenu*>("cardExport");
        QVERIFY2(exports != nullptr && !exports->isEmpty(), qPrintable(card->objectName()));
        menu->close();
      }
    }
    QVERIFY(cards >= 11);
  }

  void theExportMenuHoldsThePanelsOfThePage() {
    auto& menu = part<ExportMenu>("exportMenu");
    Q_EMIT menu.aboutToShow();
    const auto& panels = partOf<QMenu>(menu, "exportPanels");
    QVERIFY(textsOf(panels).contains("Predictive entropy"));
    const QMenu* const reliability =
        panels.actions().at(textsOf(panels).indexOf("Reliability"))->menu();
    QVERIFY(reliability != nullptr);
    QCOMPARE(missingOf(*reliability, kPlotEntries), QString());
    showPage(PageId::kImages);
    Q_EMIT menu.aboutToShow();
    QVERIFY(textsOf(panels).contains("Confusion"));
    QVERIFY(!textsOf(panels).contains("Reliability"));
  }

  void aFormThatPoppedUpClosesWithItsPage() {
    Card& card = part<Card>("reliabilityPlotCard");
    Q_EMIT card.optionsRequested(card.mapToGlobal(QPoint(0, 0)));
    auto& form = part<ReliabilityForm>("reliabilityForm");
    QVERIFY(form.isVisible());
    window_->showPage(PageId::kCompare);
    QVERIFY(!form.isVisible());
  }
};

}  // namespace dubito::test

#include "export_menu_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ExportTest)
