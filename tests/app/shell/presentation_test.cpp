// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/presentation.h"

#include <QAction>
#include <QLabel>
#include <algorithm>

#include "app/labs/labs_page.h"
#include "app/labs/regression/lab_regression.h"
#include "app/shell/page_stack.h"
#include "app/shell/side_panels.h"
#include "tests/app/support/lab_window.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/band_plot.h"
#include "widgets/card.h"
#include "widgets/theme.h"

namespace dubito::test {

/// The window as it is shown to an audience.
class PresentationTest : public QObject, private LabWindow<LabRegression> {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    applyTheme(*qApp, Theme::light());
    openFolder();
    openWindow();
  }
  void cleanup() {
    closeAll();
    QCOMPARE(lookScale(), 1.0);
  }

  void everyPageIsShownAlone() {
    showSample();
    for (const PageInfo& page : allPages()) {
      window_->showPage(page.id);
      const bool has_side = part<SidePanels>("side").isVisible();
      const bool has_workspace = part<QWidget>("workspacePanel").isVisible();
      press(Qt::Key_F11);
      QVERIFY(window_->presentation().isOn());
      QVERIFY(window_->isFullScreen());
      QVERIFY2(bars() == QList<bool>({false, false, false, false}), page.key);
      // Nothing but the margins is left of the window.
      QTRY_VERIFY2(window_->pages().width() >= window_->width() - 4 * kGrid, page.key);
      press(Qt::Key_F11);
      QVERIFY(!window_->presentation().isOn());
      QVERIFY(!window_->isFullScreen());
      // With the inspector when the window has its width again.
      QTRY_VERIFY2(bars() == QList<bool>({true, true, has_workspace, has_side}), page.key);
    }
  }

  void anotherPageIsChosenByItsKey() {
    press(Qt::Key_F11);
    QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(window_->page(), PageId::kCompare);
    QCOMPARE(bars(), QList<bool>({false, false, false, false}));
  }

  void textGrowsAndReturns() {
    auto& brand = part<QLabel>("brand");
    const double heading = brand.font().pointSizeF();
    const double body = uiFont(TypeSize::kBody).pointSizeF();
    const QString sheet = qApp->styleSheet();
    part<QAction>("commandPresent").trigger();
    QCOMPARE(brand.font().pointSizeF(), Presentation::kScale * heading);
    QCOMPARE(uiFont(TypeSize::kBody).pointSizeF(), Presentation::kScale * body);
    QVERIFY(qApp->styleSheet().contains("font-size: 13.5pt"));
    part<QAction>("commandPresent").trigger();
    QCOMPARE(brand.font().pointSizeF(), heading);
    QCOMPARE(uiFont(TypeSize::kBody).pointSizeF(), body);
    QCOMPARE(qApp->styleSheet(), sheet);
  }

  void aLaboratoryHidesItsSetUp() {
    showRegression();
    chooseMethods("labMethods", {"blr"});
    finish();
    const double width = widestLine();
    press(Qt::Key_F11);
    QVERIFY(!part<QWidget>("labSetUpCard").isVisible());
    QVERIFY(!part<QWidget>("labTabs").isVisible());
    QVERIFY(!part<QWidget>("labsExplanation").isVisible());
    QVERIFY(part<QWidget>("labPlay").isVisible());
    QCOMPARE(widestLine(), Presentation::kScale * width);
    // One that is opened meanwhile does so, too.
    window_->pages().labs().showLaboratory(Laboratory::kSimplex);
    QVERIFY(!part<QWidget>("simplexSetUpCard").isVisible());
    window_->pages().labs().showLaboratory(Laboratory::kRegressionMethods);
    press(Qt::Key_Escape);
    QVERIFY(part<QWidget>("labSetUpCard").isVisible());
    QVERIFY(part<QWidget>("labTabs").isVisible());
    QVERIFY(part<QWidget>("labsExplanation").isVisible());
    QCOMPARE(widestLine(), width);
  }

  void escapeLeavesAPlotShownAloneFirst() {
    showRegression();
    chooseMethods("labMethods", {"gp", "blr"});
    QTRY_VERIFY(part<Card>("labPlotCard0").isVisible() && part<Card>("labPlotCard1").isVisible());
    press(Qt::Key_F11);
    Q_EMIT part<Card>("labPlotCard1").enlargeRequested();
    QVERIFY(!part<Card>("labPlotCard0").isVisible());
    QVERIFY(!part<Card>("labScoresCard").isVisible());
    press(Qt::Key_Escape);
    QVERIFY(part<Card>("labPlotCard0").isVisible());
    QVERIFY(window_->presentation().isOn());
    press(Qt::Key_Escape);
    QVERIFY(!window_->presentation().isOn());
  }

  void anExportedPictureIsTheUsualOne() {
    showRegression();
    chooseMethods("labMethods", {"blr"});
    finish();
    const Exporter& exporter = part<BandPlot>("labPlot0").exporter();
    QVERIFY(exporter.saveFigure(QString::fromStdString(dir_->file("before.png")), {}));
    press(Qt::Key_F11);
    QVERIFY(exporter.saveFigure(QString::fromStdString(dir_->file("after.png")), {}));
    QVERIFY(readBytes(dir_->file("after.png")) == readBytes(dir_->file("before.png")));
    QCOMPARE(widestLine(), Presentation::kScale * 2.0);
  }

  void theNextWindowIsAUsualOne() {
    press(Qt::Key_F11);
    window_->close();
    openWindow();
    QVERIFY(!window_->isFullScreen());
    QVERIFY(!window_->presentation().isOn());
    QCOMPARE(lookScale(), 1.0);
  }

 private:
  void showRegression() {
    // First, so that only this laboratory starts.
    window_->pages().labs().showLaboratory(Laboratory::kRegressionMethods);
    window_->showPage(PageId::kLabs);
  }
  void press(Qt::Key key) { QTest::keyClick(window_.get(), key); }
  /// Whether header, status line, workspace and side panel are visible.
  QList<bool> bars() {
    return {part<QWidget>("headerBar").isVisible(), part<QWidget>("progressStrip").isVisible(),
            part<QWidget>("workspacePanel").isVisible(), part<QWidget>("side").isVisible()};
  }
  /// Width of the thickest curve of the first plot, in pixels.
  double widestLine() {
    const QCustomPlot& plot = innerPlot(part<BandPlot>("labPlot0"));
    double widest = 0.0;
    for (int i = 0; i < plot.graphCount(); ++i) {
      widest = std::max(widest, plot.graph(i)->pen().widthF());
    }
    return widest;
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::PresentationTest)
#include "presentation_test.moc"
